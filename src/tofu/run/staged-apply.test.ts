import { describe, expect, test } from "vitest";
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Event } from "../../engine/event.ts";
import type { Plan, PlannedChange } from "../../engine/plan.ts";
import type { Action } from "../../revision/decision.ts";
import type { Streamed } from "../program/engine.ts";
import { changeOf, planOf } from "../testing/changes.ts";
import type { Stage } from "./rollout.ts";
import { applyInStages } from "./staged-apply.ts";

const fine: Streamed = { status: 0, diagnostics: [], outputs: {} };
const change = (step: string, host: string, action: Action = "create") => changeOf("web", step, host, action);
const all = ["h1", "h2", "h3"].flatMap((host) => [change("a", host), change("b", host)]);
const of = (...hosts: readonly string[]) => all.filter(({ host }) => hosts.includes(host ?? ""));
const stage = (batch: number, changes: readonly PlannedChange[], more: Partial<Stage> = {}): Stage => ({
  circuit: "web",
  batch,
  maxFailures: 0,
  pause: 0,
  changes,
  after: () => new Set(),
  ...more,
});
const rest = (...changes: readonly PlannedChange[]) => stage(0, changes, { circuit: undefined });

const subjectOf = ({ address, circuit, member, host }: PlannedChange) => ({ address, circuit, member, host });
const done = (changed: PlannedChange): Event => ({
  kind: "apply_complete",
  subject: subjectOf(changed),
  id: undefined,
  action: "create",
  at: 0,
  elapsed: 0,
});
const failing = (changed: PlannedChange): Event => ({
  kind: "apply_errored",
  subject: subjectOf(changed),
  action: "create",
  at: 0,
  elapsed: 0,
});

interface Story {
  readonly plan?: Plan;
  readonly stages: readonly Stage[];
  /** Addresses that fail. */
  readonly fails?: readonly string[];
  /** What a stage's own plan has, by its targets; what is shown unless given. */
  readonly planned?: (targets: readonly string[] | undefined) => Plan | undefined;
  /** After which call of the engine's the user stops. */
  readonly stopAfter?: number;
}

/** What the engine was called for, and what came of it. */
async function lived({ plan = planOf(all), stages, fails = [], planned, stopAfter }: Story) {
  const calls: string[] = [];
  const events: Event[] = [];
  const stop = new AbortController();
  const called = (text: string): void => {
    calls.push(text);
    if (calls.length === stopAfter) stop.abort();
  };
  const meant = (targets: readonly string[] | undefined) =>
    planOf(
      plan.changes.filter(
        ({ address }) => targets === undefined || targets.some((target) => address.startsWith(target)),
      ),
    );
  const outcome = await applyInStages({
    plan,
    stages,
    events: (event) => events.push(event),
    signal: stop.signal,
    async planStage(targets) {
      called(`plan ${targets?.join(" ") ?? "everything"}`);
      const own = planned === undefined ? meant(targets) : planned(targets);
      return {
        plan: own,
        streamed: own === undefined ? { ...fine, status: 1, diagnostics: [broken] } : fine,
      };
    },
    async applyStage(own, sink) {
      called("apply");
      const acting = own.changes.filter(({ decision }) => decision.action !== "none");
      const failed = acting.filter(({ address }) => fails.includes(address));
      for (const one of acting) sink(fails.includes(one.address) ? failing(one) : done(one));
      return failed.length === 0 ? fine : { ...fine, status: 1 };
    },
  });
  const skipped = events.flatMap((event) =>
    event.kind === "apply_skipped" ? [`${event.subject.address}: ${event.because}`] : [],
  );
  return { calls, outcome, skipped, events };
}

const broken = errorDiagnostic("Broken", "");
const [a1, b1, a2, b2] = of("h1", "h2").map(({ address }) => address);
const batches = [stage(0, of("h1")), stage(1, of("h2", "h3"))];

describe("batches", () => {
  test("are planned and applied one after the other, with every instance as a target", async () => {
    const { calls, outcome } = await lived({ stages: [...batches, rest()] });
    const [, , a3, b3] = of("h2", "h3").map(({ address }) => address);
    expect(calls).toEqual([
      `plan ${a1} ${b1}`,
      "apply",
      `plan ${a2} ${a3} ${b2} ${b3}`,
      "apply",
      "plan everything",
      "apply",
    ]);
    expect(outcome).toMatchObject({ created: 6, failed: [], notDone: [] });
  });

  test("name a resource of which all instances are meant by itself: a command line is limited", async () => {
    const { calls } = await lived({ stages: [stage(0, of("h1", "h2", "h3"))] });
    expect(calls).toEqual(["plan conn3x_file.web__a conn3x_file.web__b", "apply"]);
    // A plan of a part does not know of all instances.
    const part = await lived({
      plan: { ...planOf(of("h1")), isPartial: true },
      stages: [stage(0, of("h1"))],
    });
    expect(part.calls).toEqual([`plan ${a1} ${b1}`, "apply"]);
  });
});

describe("a failure", () => {
  test("keeps the next batch from beginning, and what is left is not done", async () => {
    const { calls, outcome, skipped } = await lived({ stages: [...batches, rest()], fails: [b1!] });
    expect(calls).toEqual([`plan ${a1} ${b1}`, "apply"]);
    expect(outcome).toMatchObject({ created: 1, failed: [{ address: b1 }] });
    expect(outcome.notDone).toHaveLength(4);
    expect(skipped).toContain(`${a2}: the rollout stopped before batch 2: 1 host failed`);
  });

  test("that is allowed does not, but what failed is not tried again", async () => {
    const lenient = batches.map((one) => ({ ...one, maxFailures: 1 }));
    const { calls, outcome } = await lived({ stages: lenient, fails: [b1!] });
    expect(calls).toHaveLength(4);
    expect(outcome).toMatchObject({ created: 5, failed: [{ address: b1 }], notDone: [] });
  });

  test("to plan ends everything, whoever comes next", async () => {
    const lenient = batches.map((one) => ({ ...one, maxFailures: 3 }));
    const { calls, outcome } = await lived({ stages: lenient, planned: () => undefined });
    expect(calls).toEqual([`plan ${a1} ${b1}`]);
    expect(outcome.diagnostics).toEqual([broken]);
    expect(outcome.notDone).toHaveLength(6);
  });
});

test("a batch that would do what was not shown is not applied, and nothing after it", async () => {
  const other = changeOf("web", "a", "h1", "delete");
  const { calls, outcome } = await lived({ stages: batches, planned: () => planOf([other]) });
  expect(calls).toEqual([`plan ${a1} ${b1}`]);
  expect(outcome.diagnostics).toMatchObject([{ severity: "error", summary: "The plan is another by now" }]);
});

test("what turns out to be done already is not missing", async () => {
  const { outcome } = await lived({
    stages: [stage(0, of("h1", "h2", "h3"))],
    planned: () => planOf(all.map((one) => ({ ...one, decision: { ...one.decision, action: "none" } }))),
    fails: [],
  });
  expect(outcome).toMatchObject({ created: 0, failed: [], notDone: [] });
});

test("after ^C no batch begins", async () => {
  const { calls, outcome } = await lived({ stages: batches, stopAfter: 2 });
  expect(calls).toEqual([`plan ${a1} ${b1}`, "apply"]);
  expect(outcome).toMatchObject({ created: 2 });
  expect(outcome.notDone).toHaveLength(4);
});
