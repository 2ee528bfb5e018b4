import { describe, expect, test } from "vitest";
import type { Event } from "../../engine/event.ts";
import { containsMark, unmarkDeep } from "../../values/marks.ts";
import { toPlain } from "../../values/plain.ts";
import { keptEvents } from "../plan/kept.ts";
import { createProviderLog, type ProviderLog } from "../provider/provider-log.ts";
import { type CapturedEngine, capturedApply, capturedEngines, capturedPlan } from "../testing/captured.ts";
import { applyOutcome } from "./apply-outcome.ts";

function outcomeOf(
  engine: CapturedEngine,
  name: "replace" | "create" | "destroy",
  status: number,
  until?: number,
) {
  const { events, streamed } = capturedApply(engine, name, status);
  return applyOutcome(capturedPlan(engine, name), events.slice(0, until), streamed);
}

describe.each(capturedEngines)("%s", (engine) => {
  test("counts what was done: a replacement once, and what was only forgotten or imported", () => {
    const outcome = outcomeOf(engine, "replace", 0);
    expect(outcome).toMatchObject({ created: 0, updated: 1, replaced: 2, deleted: 0, kept: 1, imported: 1 });
    expect([outcome.failed, outcome.notDone]).toEqual([[], []]);
    const { secret, seen } = Object.fromEntries(outcome.outputs);
    expect(containsMark(secret!, "sensitive")).toBe(true);
    expect(toPlain(unmarkDeep(seen!).value)).toMatch(/^[0-9a-f]{16}$/);
  });

  test("says what failed, and why", () => {
    const outcome = outcomeOf(engine, "create", 1);
    expect(outcome).toMatchObject({ created: 1, replaced: 0 });
    expect(outcome.failed).toEqual([
      {
        address: 'conn3x_link.web__page["web1/c"]',
        host: "web1",
        member: "page",
        reason: "Cannot make the link",
      },
    ]);
    expect(outcome.notDone).toEqual([]);
  });

  test("of a run that was stopped half-way the rest is not done, and old halves count as deleted", () => {
    // The old halves of the handler and of the file are gone by then, nothing was made.
    const outcome = outcomeOf(engine, "replace", 1, 4);
    expect(outcome).toMatchObject({ replaced: 0, updated: 0, deleted: 1, kept: 0 });
    expect(outcome.imported).toBeUndefined();
    expect(outcome.notDone).toEqual([
      'conn3x_directory.web__kept["web1"]',
      'conn3x_file.web__note["web1"]',
      'conn3x_command_action.web__restart["web1"]',
      "terraform_data.seen",
    ]);
  });

  test("what was left on its host counts as kept", () => {
    const plan = capturedPlan(engine, "destroy");
    const { events, streamed } = capturedApply(engine, "destroy");
    const log: ProviderLog = { ...createProviderLog(), wasKept: (type) => /directory|link/.test(type) };
    const seen: Event[] = [];
    const sink = keptEvents(plan, log, (event) => seen.push(event));
    for (const event of events) sink(event);
    expect(applyOutcome(plan, seen, streamed)).toMatchObject({ deleted: 3, kept: 2 });
    expect(
      seen
        .filter((event) => event.kind === "apply_complete" && event.kept)
        .map((event) => "subject" in event && event.subject.member),
    ).toEqual(["page", "kept"]);
  });
});
