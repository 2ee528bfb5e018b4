/** What a kind's plan logic may do (P1 to P3), and what becomes of one that does more. */
import { describe, expect, test } from "vitest";
import { type ResourceSchema, schemaType, string, stringMap } from "../schema/schema.ts";
import { at } from "../values/path.ts";
import { fromPlain, type PlainObject } from "../values/plain.ts";
import { isUnknown, nullValue, Unknown, type Value } from "../values/value.ts";
import { type DecidingKind, decide, decideDelete } from "./decide.ts";
import type { ResourceDiff } from "./resource-diff.ts";

const text = { describe: "" };
const schema: ResourceSchema = {
  version: 0,
  describe: "",
  attributes: {
    path: string({ ...text, required: true, identity: true }),
    content: string({ ...text, optional: true, observed: true }),
    labels: stringMap({ ...text, optional: true }),
    owner: string({ ...text, optional: true, computed: true }),
    hash: string({ ...text, computed: true }),
    revision: string({ ...text, computed: true }),
  },
  blocks: {},
};
const object = (plain: PlainObject): Value =>
  fromPlain(
    { path: "/a", content: null, labels: null, owner: null, hash: null, revision: null, ...plain },
    schemaType(schema),
  );
const prior = object({ content: "old", labels: { x: "1" }, owner: "root", hash: "h", revision: "r" });

function planned(
  plan: (diff: ResourceDiff) => void,
  config: PlainObject = { content: "new" },
  before = prior,
) {
  const kind: DecidingKind = { type: "conn3x_test", role: "step", schema, plan };
  const outcome = decide(kind, { config: object(config), prior: before, lastApplied: before });
  const field = (name: string) => (outcome.planned.data as ReadonlyMap<string, Value>).get(name)!;
  return { ...outcome, value: (name: string) => (isUnknown(field(name)) ? "unknown" : field(name).data) };
}

describe("plan logic", () => {
  test("P1: may refuse the plan, and names the attribute", () => {
    const { diagnostics } = planned((diff) => diff.veto(at("labels", { key: "x" }), "No", "Not that."));
    expect(diagnostics).toMatchObject([
      { severity: "error", summary: "No", detail: "Not that.", attribute: at("labels", { key: "x" }) },
    ]);
  });

  test("P1: may warn, and the plan stands", () => {
    const { diagnostics, decision } = planned((diff) => diff.warn("content", "Hm", "Sure?"));
    expect([diagnostics[0]!.severity, decision.action]).toEqual(["warning", "update"]);
  });

  test("P2: reads what is, what is wanted and what was applied", () => {
    const seen: unknown[] = [];
    planned(
      (diff) => {
        seen.push(
          diff.get("content"),
          diff.prior("content"),
          diff.lastApplied("content"),
          diff.config("owner"),
        );
        seen.push(
          diff.hasChange("content"),
          diff.hasChange("path"),
          diff.hasChange(at("labels", { key: "x" })),
        );
        seen.push(diff.isKnown("content"), diff.creating, diff.get("owner"));
      },
      { content: new Unknown(), labels: { x: "1" } },
    );
    expect(seen).toEqual([expect.any(Unknown), "old", "old", null, true, false, false, false, false, "root"]);
  });

  test("P2: sets what is computed, to a value or to unknown, and takes that back", () => {
    const found = planned((diff) => {
      diff.setNew("hash", "new");
      diff.setNewComputed("owner");
    });
    expect([found.value("hash"), found.value("owner")]).toEqual(["new", "unknown"]);
    const cleared = planned((diff) => {
      diff.setNew("hash", "new");
      diff.clear("hash");
    });
    expect(cleared.value("hash")).toBe("h");
  });

  test("P2: makes a change one that needs a new object", () => {
    const { decision } = planned((diff) => diff.forceReplace("content"));
    expect([decision.action, decision.requiresReplace]).toEqual(["replace", [at("content")]]);
  });

  test.each<[string, (diff: ResourceDiff) => void, string]>([
    [
      "a value for what is configured only",
      (diff) => diff.setNew("content", "mine"),
      "content cannot be set: it is not computed",
    ],
    [
      "a value for what is configured here",
      (diff) => diff.setNew("owner", "mine"),
      "owner cannot be set: the configuration sets it",
    ],
    [
      "unknown for what is configured here",
      (diff) => diff.setNewComputed("owner"),
      "owner cannot be set: the configuration sets it",
    ],
    [
      "to take back what it did not set",
      (diff) => diff.clear("path"),
      "path cannot be set: it is not computed",
    ],
    [
      "a value for what does not exist",
      (diff) => diff.setNew("nothing", "x"),
      "nothing cannot be set: it is not computed",
    ],
    ["to read what does not exist", (diff) => void diff.get("nothing"), "nothing is no attribute of it"],
    [
      "a replacement for what stays",
      (diff) => diff.forceReplace("path"),
      "path cannot force a replacement: it does not change",
    ],
  ])("P3: that wants %s is stopped: its type and the rule are named", (_, plan, rule) => {
    expect(() => planned(plan, { content: "new", owner: "me" })).toThrow(
      `plan logic of conn3x_test: ${rule}`,
    );
  });

  test("P3: is not asked about what is to be destroyed", () => {
    expect(decideDelete(prior, { kind: "removed" })).toMatchObject({
      planned: nullValue(schemaType(schema)),
      decision: { action: "delete" },
    });
  });

  test("a forced replacement does not count while the object is made", () => {
    const { decision } = planned(
      (diff) => diff.forceReplace("content"),
      { content: "new" },
      nullValue(schemaType(schema)),
    );
    expect([decision.action, decision.requiresReplace]).toEqual(["create", []]);
  });
});
