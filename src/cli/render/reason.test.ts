import { describe, expect, it, test } from "vitest";
import type { Action, Decision, Reason } from "../../revision/decision.ts";
import { at } from "../../values/path.ts";
import { boolValue } from "../../values/value.ts";
import { describeChange, listed } from "./reason.ts";
import { change } from "./testing/planned.ts";

const names = { name: String, becomes: (address: string) => (address === "made" ? "created" : "updated") };

function step(action: Action, ...reasons: Reason[]): string {
  return describeChange(change({ decision: { action, reasons } }), names);
}

function handler(action: Action, ...reasons: Reason[]): string {
  return describeChange(change({ kind: "service_action", decision: { action, reasons } }), names);
}

test("what is imported, or was and is not applied since, was edited by nobody", () => {
  const since: Reason = { kind: "config", paths: [at("mode"), at("owner")], imported: true };
  expect(step("update", since)).toBe(
    "will be updated because its mode and owner differ from what was imported",
  );
  const reasons: Reason[] = [{ kind: "config", paths: [at("mode")] }];
  const one = change({ decision: { action: "update", reasons } });
  expect(describeChange({ ...one, importing: "ssh://web1/etc/a" }, names)).toBe(
    "will be updated because its mode differs from what is imported",
  );
});

describe("X8: describeChange", () => {
  it.each<[string, string]>([
    [step("create", { kind: "create" }), "will be created"],
    [step("create", { kind: "gone" }), "is gone from the host and will be created again"],
    [
      step("create", { kind: "gone", rebuilt: true }),
      "will be created again because its host is another machine now",
    ],
    [
      step("delete", { kind: "deposed" }),
      "will be deleted because its replacement was made and it is still there",
    ],
    [step("update", { kind: "drift", paths: [at("mode")] }), "changed on the host and will be put back"],
    [
      step("update", { kind: "config", paths: [at("mode"), at("owner")] }),
      "will be updated because its mode and owner were edited",
    ],
    [step("update", { kind: "config" }), "will be updated because its configuration was edited"],
    [
      step("update", { kind: "dependency_updated", dependencies: ["a", "b"] }),
      "will be updated because a and b are updated",
    ],
    [
      step("update", { kind: "unknown_input", paths: [at("content")] }),
      "will be updated because its content is known only after apply",
    ],
    [
      step("replace", { kind: "identity", paths: [at("path")] }),
      "must be replaced because its path was edited",
    ],
    [step("replace", { kind: "last_apply_failed" }), "must be replaced because its last apply failed"],
    [step("replace", { kind: "requested" }), "must be replaced because that was asked for"],
    [
      step("replace", { kind: "cannot_update", paths: [at("uid")] }),
      "must be replaced because its uid cannot be changed in place",
    ],
    [step("delete", { kind: "removed" }), "will be deleted because it is not in the configuration any more"],
    [
      step("delete", { kind: "host_removed" }),
      "will be deleted because its host is not in the configuration any more",
    ],
    [step("delete", { kind: "destroy" }), "will be destroyed"],
    [handler("create", { kind: "create" }), "will run for the first time"],
    [handler("create", { kind: "pending" }), "will run because it has not run since its steps last changed"],
    [
      handler("replace", { kind: "triggers", dependencies: ["made", "b"] }),
      "will run because made is created and b is updated",
    ],
    [handler("replace", { kind: "last_apply_failed" }), "will run because its last apply failed"],
    [
      handler("update", { kind: "config", paths: [at("name")] }),
      "will be updated, and not run, because its name was edited",
    ],
    [handler("delete", { kind: "destroy" }), "will be forgotten, and not run"],
    [
      describeChange(
        change({ decision: { action: "replace", keeps: "there_before", reasons: [{ kind: "requested" }] } }),
        names,
      ),
      "must be replaced because that was asked for; the old one is kept on the host (Conn3x did not make it)",
    ],
  ])("%s", (said, expected) => {
    expect(said).toBe(expected);
  });

  it.each<[string, Action, boolean | undefined, boolean]>([
    ["is left out because its when is false", "create", undefined, true],
    ["will be left out from now on, as if it were removed, because its when is false", "update", false, true],
    ["will not be left out any more because its when is true", "update", true, false],
    ["stays left out, and its host as it is, because its mode was edited", "update", true, true],
    ["will be updated because its mode was edited", "update", false, false],
  ])("%s", (expected, action, before, after) => {
    const skipped = (value: boolean) => ({ skipped: boolValue(value) });
    const planned = change({
      ...(before === undefined ? {} : { before: skipped(before) }),
      after: skipped(after),
      decision: { action, reasons: action === "create" ? [] : [{ kind: "config", paths: [at("mode")] }] },
    });
    expect(describeChange(planned, names)).toBe(expected);
  });

  it("says of a handler whether any step is there to notify it", () => {
    const after = { skipped: boolValue(true) };
    const handler = (decision: Pick<Decision, "action" | "reasons" | "runs">) =>
      describeChange(change({ kind: "service_action", after, decision }), names);
    expect(handler({ action: "create", reasons: [] })).toBe("is left out because no step notifies it there");
    expect(handler({ action: "update", reasons: [{ kind: "triggers" }], runs: true })).toBe(
      "will run because what notified it is removed",
    );
  });

  it("says nothing of keeping what is no object on the host", () => {
    const described = (action: Action) =>
      describeChange(
        change({ decision: { action, keeps: "no_object", reasons: [{ kind: "requested" }] } }),
        names,
      );
    expect(described("delete")).toBe(
      "will be forgotten (removing it does nothing on the host) because that was asked for",
    );
    expect(described("replace")).toBe("must be replaced because that was asked for");
  });

  it("says that a removal leaves the object where on_remove does", () => {
    const kept = change({
      decision: { action: "delete", keeps: "on_remove", reasons: [{ kind: "removed" }] },
    });
    expect(describeChange(kept, names)).toBe(
      'will be forgotten and kept on the host (on_remove = "keep") because it is not in the configuration any more',
    );
  });
});

describe("listed", () => {
  it("counts what is too long to name", () => {
    expect(listed(["a"])).toBe("a");
    expect(listed(["a", "b", "c", "d"])).toBe("a, b, c and d");
    expect(listed(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
  });
});
