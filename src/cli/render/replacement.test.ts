/** How replacements are shown: which half comes first, what is done in between, and what they left. */
import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { configurationOf } from "../../engine/testing/configuration.ts";
import { at } from "../../values/path.ts";
import { stringType } from "../../values/type.ts";
import { unknownValue } from "../../values/value.ts";
import { planJson } from "../json/plan-json.ts";
import { uiLines } from "../json/ui-lines.ts";
import { urnsIn } from "../state/instance-name.ts";
import { renderPlan } from "./plan.ts";
import { change, type Given, plan } from "./testing/planned.ts";

const unknown = unknownValue(stringType);
const nothingConfigured = configurationOf("");
const colors = pico.createColors(false);

const replaced = (host: string, createFirst: boolean): Given => ({
  host,
  before: { path: "/a" },
  after: { path: "/b" },
  decision: {
    action: "replace",
    reasons: [{ kind: "identity", paths: [at("path")] }],
    requiresReplace: [at("path")],
    ...(createFirst ? { createFirst } : {}),
  },
});
const updated = (host: string): Given => ({
  host,
  member: "note",
  before: { path: "/n", content: "/a" },
  after: { path: "/n", content: "/b" },
  decision: { action: "update", reasons: [{ kind: "config", paths: [at("content")] }] },
});
const handler = (host: string): Given => ({
  host,
  member: "reload",
  kind: "service_action",
  before: { name: "x" },
  after: { name: "x", revision: unknown },
  decision: { action: "replace", reasons: [{ kind: "triggers" }] },
});

const planned = (hosts: readonly string[], createFirst: boolean) =>
  plan(
    hosts.flatMap((host) => [
      {
        ...change(replaced(host, createFirst)),
        dependants: [`conn3x_file.web__note["${host}"]`, `conn3x_service_action.web__reload["${host}"]`],
      },
      change(updated(host)),
      change(handler(host)),
    ]),
  );

const comments = (hosts: readonly string[], createFirst: boolean, replaceSteps: boolean): readonly string[] =>
  renderPlan(planned(hosts, createFirst), {
    colors,
    width: 78,
    format: "resources" as const,
    expand: false,
    replaceSteps,
  })
    .split("\n")
    .filter((line) => /^ {2}#/.test(line));

describe("a replacement", () => {
  it("U2: is one line", () => {
    expect(comments(["web1"], true, false)).toEqual([
      '  # conn3x_file.web__config["web1"] must be replaced because its path was edited',
      '  # conn3x_file.web__note["web1"] will be updated because its content was edited',
      '  # conn3x_service_action.web__reload["web1"] will run because its triggers changed',
    ]);
  });

  it("U2: has its steps with -show-replace-steps: create, what depends on it, delete", () => {
    expect(comments(["web1"], true, true).slice(0, 5)).toEqual([
      '  # conn3x_file.web__config["web1"] must be replaced because its path was edited',
      "  #   1. create the new object",
      '  #   2. update conn3x_file.web__note["web1"]',
      '  #   3. run conn3x_service_action.web__reload["web1"]',
      "  #   4. delete the old object",
    ]);
  });

  it("U2: has them in OpenTofu's order without create_before_destroy, for several hosts at once", () => {
    expect(comments(["web1", "web2"], false, true).slice(0, 6)).toEqual([
      "  # conn3x_file.web__config on 2 hosts must be replaced because its path was edited",
      "  #   web1, web2",
      "  #   1. delete the old object",
      "  #   2. create the new object",
      "  #   3. update conn3x_file.web__note",
      "  #   4. run conn3x_service_action.web__reload",
    ]);
  });

  it("U3: of what depends on it is done in between", () => {
    const dependant = { ...change({ ...replaced("web1", true), member: "note" }) };
    const first = { ...change(replaced("web1", true)), dependants: [dependant.address] };
    const text = renderPlan(plan([first, dependant]), {
      colors,
      width: 78,
      format: "resources",
      expand: false,
      replaceSteps: true,
    });
    expect(text.match(/# {3}\d.*/g)).toEqual([
      "#   1. create the new object",
      '#   2. create the new object of conn3x_file.web__note["web1"]',
      '#   3. delete the old object of conn3x_file.web__note["web1"]',
      "#   4. delete the old object",
      "#   1. create the new object",
      "#   2. delete the old object",
    ]);
  });

  it("has OpenTofu's marks and words for its order", () => {
    const options = { colors, width: 78, format: "resources" as const, expand: false, replaceSteps: false };
    expect(renderPlan(planned(["web1"], true), options)).toContain(
      '\n+/- resource "conn3x_file" "web__config"',
    );
    expect(renderPlan(planned(["web1"], true), options)).toContain(
      "  +/- create again and delete the old one\n",
    );
    expect(renderPlan(planned(["web1"], false), options)).toContain(
      '\n-/+ resource "conn3x_file" "web__config"',
    );
    const actions = (createFirst: boolean): unknown =>
      JSON.parse(planJson(planned(["web1"], createFirst), nothingConfigured, urnsIn())).resource_changes[0]
        .change.actions;
    expect(actions(true)).toEqual(["create", "delete"]);
    expect(actions(false)).toEqual(["delete", "create"]);
  });

  it("by a trigger has OpenTofu's reason", () => {
    const triggered = change({
      ...replaced("web1", false),
      decision: {
        action: "replace",
        reasons: [{ kind: "dependency_updated", dependencies: ["conn3x_file.x"] }],
      },
    });
    expect(
      JSON.parse(planJson(plan([triggered]), nothingConfigured, urnsIn())).resource_changes[0].action_reason,
    ).toBe("replace_by_triggers");
    const lines = uiLines(urnsIn(), () => new Date(0)).plan(plan([triggered]));
    expect(lines).toContain('"reason":"replace_triggered_by"');
  });
});

describe("what a replacement left", () => {
  const left = (host: string) => ({
    ...change({
      host,
      before: { path: "/a" },
      decision: { action: "delete", reasons: [{ kind: "deposed" }] },
    }),
    deposed: host === "web1" ? "6f5eb581" : "0a1b2c3d",
  });
  const current = change({ before: { path: "/b" }, after: { path: "/b" }, decision: { action: "none" } });

  it("is named as OpenTofu names it", () => {
    const options = { colors, width: 78, format: "resources" as const, expand: false, replaceSteps: false };
    expect(renderPlan(plan([left("web1"), current]), options)).toContain(
      '# conn3x_file.web__config["web1"] (deposed object 6f5eb581) will be deleted because its replacement was made and it is still there\n',
    );
    expect(renderPlan(plan([left("web1"), left("web2"), current]), options)).toContain(
      "# conn3x_file.web__config on 2 hosts (deposed objects) will be deleted because",
    );
    const several = [left("web1"), { ...left("web1"), deposed: "11111111" }, left("web2"), current];
    expect(renderPlan(plan(several), options)).toMatch(
      /# conn3x_file.web__config on 2 hosts \(deposed objects\) .*\n {2}# {3}web1, web2\n/,
    );
    const [first] = JSON.parse(
      planJson(plan([left("web1"), current]), nothingConfigured, urnsIn()),
    ).resource_changes;
    expect(first).toMatchObject({ deposed: "6f5eb581", change: { actions: ["delete"] } });
    expect(first.action_reason).toBeUndefined();
  });

  it("is an entry of its own beside its instance", () => {
    const options = { colors, width: 78, format: "resources" as const, expand: true, replaceSteps: false };
    const text = renderPlan(plan([left("web1"), change(replaced("web1", true))]), options);
    expect(text.match(/^ {2}# .*$/gm)).toHaveLength(2);
  });
});
