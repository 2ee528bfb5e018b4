import { describe, expect, test } from "vitest";
import type { Decision } from "../../revision/decision.ts";
import { BigFloat } from "../../values/big-float.ts";
import { formatPath } from "../../values/path.ts";
import { fromPlain } from "../../values/plain.ts";
import { objectOf, stringType } from "../../values/type.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import { createProviderLog } from "../provider/provider-log.ts";
import { type ChangeToExplain, type Circumstances, decisionAbout } from "./decision.ts";

const type = objectOf({ path: stringType, content: stringType });
const object = (content: string) => fromPlain({ path: "/a", content }, type);
const none = nullValue(type);
const [before, after] = [object("a"), object("b")];
const calm: Circumstances = { log: createProviderLog(), destroys: false, gone: undefined, hostGoes: false };
const decided: Decision = {
  action: "update",
  reasons: [{ kind: "drift" }],
  edits: [],
  drift: [{ path: [{ attribute: "content" }], before, after }],
  requiresReplace: [],
};

const explained = (change: Partial<ChangeToExplain>, circumstances: Partial<Circumstances> = {}) =>
  decisionAbout(
    { type: "conn3x_file", action: "update", before, after, reason: undefined, replacePaths: [], ...change },
    { ...calm, ...circumstances },
  );
const kinds = ({ reasons }: Decision) => reasons.map(({ kind }) => kind);

/** The provider's log of one decision; says what was looked for. */
function logWith(decision: Decision) {
  const asked: (readonly [Value, Value])[] = [];
  const log = {
    ...createProviderLog(),
    decision: (_: string, prior: Value, planned: Value) => {
      asked.push([prior, planned]);
      return decision;
    },
  };
  return { log, asked };
}

describe("the attached provider's decision", () => {
  test("is given as it was, with the engine's action", () => {
    expect(explained({}, logWith(decided))).toEqual(decided);
  });

  test("of what is replaced whatever it is like is one about a creation, and no reason for it", () => {
    const made = logWith({ ...decided, reasons: [{ kind: "create" }] });
    const decision = explained({ action: "replace", reason: "replace_because_tainted" }, made);
    expect(kinds(decision)).toEqual(["last_apply_failed"]);
    expect(made.asked.map(([prior, planned]) => [isNull(prior), planned])).toEqual([[true, after]]);
  });

  test("does not make anything of what is not to be changed", () => {
    expect(explained({ action: "none" }, logWith(decided))).toMatchObject({ action: "none", reasons: [] });
  });
});

describe("without one, as far as the engine tells", () => {
  test.each<[string, Partial<ChangeToExplain>, Partial<Circumstances>, readonly string[]]>([
    ["an update", {}, {}, ["config"]],
    ["a creation", { action: "create", before: none }, {}, ["create"]],
    ["a creation of what was gone", { action: "create", before: none }, { gone: { kind: "gone" } }, ["gone"]],
    ["a deletion", { action: "delete", after: none }, {}, ["removed"]],
    ["a destruction", { action: "delete", after: none }, { destroys: true }, ["destroy"]],
    ["an old object", { action: "delete", after: none, reason: "deposed" }, { destroys: true }, ["deposed"]],
    [
      "a host that goes",
      { action: "delete", after: none, reason: "delete_because_each_key" },
      { hostGoes: true },
      ["host_removed"],
    ],
    [
      "a key that goes",
      { action: "delete", after: none, reason: "delete_because_each_key" },
      {},
      ["removed"],
    ],
    [
      "a step that goes from its last host",
      { action: "delete", after: none, reason: "delete_because_no_resource_config" },
      { hostGoes: true },
      ["removed"],
    ],
    ["a replacement", { action: "replace", reason: "replace_because_cannot_update" }, {}, ["cannot_update"]],
    ["one that was asked for", { action: "replace", reason: "replace_by_request" }, {}, ["requested"]],
    ["one by triggers", { action: "replace", reason: "replace_by_triggers" }, {}, ["dependency_updated"]],
    [
      "a failed creation",
      { action: "replace", reason: "replace_because_tainted" },
      {},
      ["last_apply_failed"],
    ],
  ])("%s", (_, change, circumstances, expected) => {
    expect(kinds(explained(change, circumstances))).toEqual(expected);
  });

  test("edits are the differences, each attribute named once, and places of a replacement are as the engine says", () => {
    const { edits, reasons } = explained({});
    expect(edits.map(({ path }) => formatPath(path))).toEqual(["content"]);
    expect(reasons).toEqual([{ kind: "config", paths: [[{ attribute: "content" }]] }]);
    const replaced = explained({
      action: "replace",
      replacePaths: [["ssh", "bastion", BigFloat.parse("0")!, "address"]],
    });
    expect(replaced.requiresReplace.map(formatPath)).toEqual(["ssh.bastion[0].address"]);
    expect(explained({ action: "create", before: none }).edits).toEqual([]);
  });
});
