import { describe, expect, test } from "vitest";
import { type Cause, withCauses } from "./causes.ts";
import type { Action, Decision, Reason } from "./decision.ts";

const decision = (action: Action, ...reasons: Reason[]): Decision => ({
  action,
  reasons,
  edits: [],
  drift: [],
  requiresReplace: [],
});
const cause = (address: string, made: Decision): Cause => ({ address, decision: made });
const referred = (...all: Cause[]) => ({
  all: () => all,
  changing: () => all.filter(({ decision: { action } }) => action === "update" || action === "replace"),
});
const created = decision("create", { kind: "create" });
const updated = decision("update", { kind: "drift" });
const same = decision("none");

describe("a step", () => {
  test("is told what it comes from, in order, where it comes from others", () => {
    const triggered = decision("replace", { kind: "triggers" }, { kind: "drift" });
    const others = referred(cause("b", updated), cause("a", updated), cause("c", created), cause("d", same));
    expect(withCauses(triggered, false, others).reasons).toEqual([
      { kind: "triggers", dependencies: ["a", "b"] },
      { kind: "drift" },
    ]);
    expect(withCauses(updated, false, others)).toBe(updated);
    expect(withCauses(triggered, false, referred(cause("d", same)))).toBe(triggered);
  });

  test("and what is made again because it is gone, or its host is another machine", () => {
    const triggered = decision("replace", { kind: "triggers" });
    const again = cause("a", decision("create", { kind: "gone", rebuilt: true }));
    expect(withCauses(triggered, true, referred(again, cause("b", created))).reasons).toEqual([
      { kind: "triggers", dependencies: ["a"] },
    ]);
  });

  test("keeps what the provider knew better", () => {
    const known = decision("update", { kind: "dependency_updated", dependencies: ["x"] });
    expect(withCauses(known, false, referred(cause("a", updated))).reasons).toEqual(known.reasons);
  });
});

describe("a handler without an instance", () => {
  test("is new where all that notifies it is", () => {
    expect(withCauses(created, true, referred(cause("a", created)))).toBe(created);
  });
  test("runs because of what changes", () => {
    const others = referred(cause("b", updated), cause("a", created), cause("c", same));
    expect(withCauses(created, true, others).reasons).toEqual([
      { kind: "triggers", dependencies: ["a", "b"] },
    ]);
  });
  test("was not got to where nothing changes", () => {
    expect(withCauses(created, true, referred(cause("c", same))).reasons).toEqual([{ kind: "pending" }]);
    expect(withCauses(created, false, referred(cause("c", same)))).toBe(created);
  });
});
