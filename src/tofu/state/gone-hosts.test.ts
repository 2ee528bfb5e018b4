import { expect, test } from "vitest";
import type { Circuit } from "../../compiler/model.ts";
import type { Loaded } from "../../engine/evaluate/load.ts";
import type { PlannedChange } from "../../engine/plan.ts";
import { createProviderLog } from "../provider/provider-log.ts";
import { changeOf, planOf } from "../testing/changes.ts";
import { forgettingGone } from "./gone-hosts.ts";

const loaded = (onHostGone: Circuit["onHostGone"]) =>
  ({ circuits: new Map([["web", { circuit: { onHostGone } }]]) }) as unknown as Loaded;

/** An instance that goes with its host, which does not answer. */
const going = (step: string, host: string, more: Partial<PlannedChange> = {}): PlannedChange => {
  const change = changeOf("web", step, host, "delete");
  return {
    ...change,
    decision: { ...change.decision, reasons: [{ kind: "host_removed" }] },
    unread: true,
    ...more,
  };
};

function gone(onHostGone: Circuit["onHostGone"], ...changes: readonly PlannedChange[]) {
  const log = createProviderLog();
  const plan = forgettingGone(planOf(changes), loaded(onHostGone), log);
  const kept = changes.map(({ type, before }) => log.keeps(type, before));
  return {
    keeps: plan.changes.map(({ decision }) => decision.keeps),
    said: plan.diagnostics.map(({ severity, summary, host }) => [severity, summary, host]),
    kept,
  };
}

test("what was made on a host that is gone is forgotten where the circuit says so", () => {
  expect(gone("forget", going("a", "web2"), going("b", "web2"))).toEqual({
    keeps: ["host_gone", "host_gone"],
    said: [["warning", "Host is forgotten", "web2"]],
    kept: ["host_gone", "host_gone"],
  });
});

test("elsewhere the apply will fail, and that is said", () => {
  expect(gone("fail", going("a", "web2"), going("a", "web3"))).toEqual({
    keeps: [undefined, undefined],
    said: [
      ["warning", "Host is gone", "web2"],
      ["warning", "Host is gone", "web3"],
    ],
    kept: [undefined, undefined],
  });
});

test.each([
  ["a host that answers", { unread: false }],
  ["what is updated", changeOf("web", "a", "web2", "update")],
  ["what is replaced", changeOf("web", "a", "web2", "replace")],
  [
    "what is destroyed",
    { decision: { ...changeOf("web", "a", "web2", "delete").decision, reasons: [{ kind: "destroy" }] } },
  ],
] as const)("nothing is forgotten of %s", (_, more) => {
  expect(gone("forget", going("a", "web2", more as Partial<PlannedChange>))).toMatchObject({
    keeps: [undefined],
    said: [],
  });
});
