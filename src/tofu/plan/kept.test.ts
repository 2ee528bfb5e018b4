import { expect, test } from "vitest";
import type { Provider } from "../../core/provider.ts";
import type { Event } from "../../engine/event.ts";
import { objectOf, stringType } from "../../values/type.ts";
import { nullValue } from "../../values/value.ts";
import { createProviderLog } from "../provider/provider-log.ts";
import { changeOf, planOf } from "../testing/changes.ts";
import { keptEvents } from "./kept.ts";

const object = nullValue(objectOf({ path: stringType }));
const ending = (step: string, action: "delete" | "replace" | "update", keeps?: "shared") => {
  const change = changeOf("web", step, "web1", action);
  return {
    ...change,
    before: object,
    decision: { ...change.decision, ...(keeps === undefined ? {} : { keeps }) },
  };
};
const done = (step: string, action: "create" | "update" | "delete"): Event => ({
  kind: "apply_complete",
  subject: { address: `conn3x_file.web__${step}["web1"]`, circuit: "web", member: step, host: "web1" },
  id: undefined,
  action,
  at: 0,
  elapsed: 0,
});

const begun = (step: string, action: "create" | "update" | "delete"): Event => ({
  kind: "apply_start",
  subject: { address: `conn3x_file.web__${step}["web1"]`, circuit: "web", member: step, host: "web1" },
  action,
  at: 0,
});

test("what is to be kept is announced as that; what nobody has said it of may be", async () => {
  const reported = createProviderLog();
  const deletion = { action: "delete", reasons: [], edits: [], drift: [], requiresReplace: [] } as const;
  const planner = {
    schema: { resources: new Map() },
    planResource: async () => ({ planned: object, decision: deletion, diagnostics: [] }),
  } as unknown as Provider;
  await reported.watch(planner).planResource({
    type: "conn3x_file",
    prior: object,
    config: object,
    priorPrivate: new Uint8Array(),
  });
  const plan = planOf([ending("a", "delete", "shared"), ending("b", "delete"), ending("c", "update")]);
  const announced = (log = reported) => {
    const seen: Event[] = [];
    const sink = keptEvents(plan, log, (event) => seen.push(event));
    for (const step of ["a", "b"]) sink(begun(step, "delete"));
    sink(begun("c", "update"));
    return seen.map((event) => event.kind === "apply_start" && event.kept);
  };
  expect(announced()).toEqual([true, undefined, undefined]);
  expect(announced(createProviderLog())).toEqual([true, "perhaps", undefined]);
});

/** What of the events says that something was kept. */
function keptOf(plan: ReturnType<typeof planOf>, providerKept: boolean, ...events: readonly Event[]) {
  const seen: Event[] = [];
  const sink = keptEvents(plan, { ...createProviderLog(), wasKept: () => providerKept }, (event) =>
    seen.push(event),
  );
  for (const event of events) sink(event);
  expect(seen).toHaveLength(events.length);
  return seen.map((event) => event.kind === "apply_complete" && event.kept === true);
}

test("a deletion for which the provider left the object on its host", () => {
  const plan = planOf([ending("a", "delete"), ending("b", "replace")]);
  expect(keptOf(plan, true, done("a", "delete"), done("b", "delete"))).toEqual([true, true]);
  expect(keptOf(plan, false, done("a", "delete"), done("b", "delete"))).toEqual([false, false]);
});

test("a deletion that the plan says leaves it, whatever the provider knows", () => {
  expect(keptOf(planOf([ending("a", "delete", "shared")]), false, done("a", "delete"))).toEqual([true]);
});

test("nothing else", () => {
  const plan = planOf([ending("a", "update"), ending("b", "replace")]);
  expect(keptOf(plan, true, done("a", "update"), done("b", "create"), done("other", "delete"))).toEqual([
    false,
    false,
    false,
  ]);
});
