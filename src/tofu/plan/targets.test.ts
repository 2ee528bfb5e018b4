import { describe, expect, test } from "vitest";
import type { SelectionNames } from "../../engine/decide/selection.ts";
import type { Plan } from "../../engine/plan.ts";
import { configurationOf } from "../../engine/testing/configuration.ts";
import { parseJson } from "../../values/json/json-text.ts";
import { dynamicType } from "../../values/type.ts";
import { nullValue } from "../../values/value.ts";
import { knownConfiguration } from "./known-configuration.ts";
import { subjectsOf } from "./subjects.ts";
import { beyondTargets, isSelective, targetsOf } from "./targets.ts";

const configuration = configurationOf(`
resource "conn3x_file" "web__a" {
  for_each = toset(["h1", "h2"])
  path     = "/a"
  content  = "a"
}
resource "conn3x_file" "web__b" {
  for_each   = toset(["h1/x", "h2/x"])
  path       = "/b"
  content    = "b"
  depends_on = [conn3x_file.web__a]
}
resource "conn3x_file" "db__c" {
  for_each   = toset(["h3"])
  path       = "/c"
  content    = "c"
  depends_on = [conn3x_file.web__b]
}
`);

const instance = (address: string) => {
  const [, type, name, key] = /^(?:module\.\w+\.)?(\w+)\.(\w+)(?:\["(.*)"\])?$/.exec(address)!;
  return {
    address,
    mode: "managed",
    type,
    name,
    ...(key === undefined ? {} : { index: key }),
    change: { actions: ["no-op"] },
  };
};
const plan = parseJson(
  JSON.stringify({
    resource_changes: [
      'conn3x_file.web__a["h1"]',
      'conn3x_file.web__a["h2"]',
      'conn3x_file.web__b["h1/x"]',
      'conn3x_file.web__b["h2/x"]',
      'conn3x_file.db__c["h3"]',
      'conn3x_file.web__old["h2"]',
      "terraform_data.x",
      "module.m.terraform_data.y",
    ].map(instance),
  }),
);
const chosen = (names: SelectionNames, mode: Plan["mode"] = "normal") =>
  targetsOf(names, plan, {
    configured: knownConfiguration(configuration, []).loaded,
    subjects: subjectsOf(configuration),
    mode,
  });
const targets = (names: SelectionNames, mode?: Plan["mode"]) => [...chosen(names, mode).targets].sort();

describe("targetsOf", () => {
  test("an instance brings what is before it on its own host, each named by itself", () => {
    expect(targets({ target: ['conn3x_file.web__b["h1/x"]'] })).toEqual([
      'conn3x_file.web__a["h1"]',
      'conn3x_file.web__b["h1/x"]',
    ]);
  });

  test("a resource of which everything is chosen is named alone", () => {
    expect(targets({ circuit: ["db"] })).toEqual([
      "conn3x_file.db__c",
      "conn3x_file.web__a",
      "conn3x_file.web__b",
    ]);
    expect(targets({ target: ["terraform_data.x"] })).toEqual(["terraform_data.x"]);
    expect(targets({ target: ["module.m"] })).toEqual(["module.m.terraform_data.y"]);
  });

  test("a limit takes hosts alone, with what is only in the state of them", () => {
    expect(targets({ limit: ["h2"] })).toEqual([
      'conn3x_file.web__a["h2"]',
      'conn3x_file.web__b["h2/x"]',
      "conn3x_file.web__old",
    ]);
    expect(targets({ limit: ["h?"], step: ["c"] })).toContain("conn3x_file.db__c");
  });

  test("what is destroyed brings what comes after it", () => {
    expect(targets({ step: ["b"] }, "destroy")).toEqual(["conn3x_file.db__c", "conn3x_file.web__b"]);
  });

  test("a data source is the engine's to find, by itself only", () => {
    expect(targets({ target: ["data.http.x"] })).toEqual(["data.http.x"]);
    expect(chosen({ target: ["data.http.x"], limit: ["h1"] }).problems).toHaveLength(1);
  });

  test("names of nothing are errors", () => {
    const summaries = (names: SelectionNames) => chosen(names).problems.map(({ summary }) => summary);
    expect(summaries({ target: ["conn3x_file.web__z"] })).toEqual(["There is no address conn3x_file.web__z"]);
    expect(summaries({ target: ["module.n"] })).toEqual(["There is no address module.n"]);
    expect(summaries({ limit: ["x*"] })).toEqual(["There is no host x*"]);
    expect(isSelective({})).toBe(false);
    expect(isSelective({ limit: ["x"] })).toBe(true);
  });
});

describe("beyondTargets", () => {
  const made = (mode: Plan["mode"], action: "none" | "create" | "delete"): Plan => ({
    mode,
    outputs: [],
    diagnostics: [],
    stateChanged: false,
    changes: [
      {
        address: 'conn3x_file.web__a["h2"]',
        type: "conn3x_file",
        name: "web__a",
        key: "h2",
        circuit: "web",
        member: "a",
        role: "step",
        host: "h2",
        decision: { action, reasons: [], edits: [], drift: [], requiresReplace: [] },
        before: nullValue(dynamicType),
        after: nullValue(dynamicType),
      },
    ],
  });
  const only = (address: string) => ({ includes: (one: string) => one === address });
  const nothing = only("");

  test("what a limit leaves out must have nothing to do", () => {
    const limit = ["h1"];
    expect(beyondTargets(made("normal", "create"), { limit }, nothing)).toHaveLength(1);
    expect(beyondTargets(made("normal", "none"), { limit }, nothing)).toEqual([]);
    expect(beyondTargets(made("normal", "create"), { limit }, only('conn3x_file.web__a["h2"]'))).toEqual([]);
  });

  test("names bring what is before them, but nothing else is ever destroyed", () => {
    expect(beyondTargets(made("normal", "create"), { step: ["b"] }, nothing)).toEqual([]);
    expect(beyondTargets(made("destroy", "delete"), { step: ["b"] }, nothing)).toHaveLength(1);
  });
});
