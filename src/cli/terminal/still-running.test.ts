import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EventSubject } from "../../engine/event.ts";
import { reportStillRunning } from "./still-running.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const subject = (host: string): EventSubject => ({
  address: `conn3x_file.web__config["${host}"]`,
  host,
  circuit: "web",
  member: "config",
});

test("what runs long is told every ten seconds from its beginning, until it ends", () => {
  const said: string[] = [];
  const still = reportStillRunning((event, elapsed) => void said.push(`${event.subject.host} ${elapsed}`));
  const start = (host: string) =>
    still.events({ kind: "apply_start", subject: subject(host), action: "create", at: 0 });
  start("a");
  vi.advanceTimersByTime(5000);
  start("b");
  vi.advanceTimersByTime(10_000);
  expect(said).toEqual(["a 10000", "b 10000"]);
  still.events({ kind: "apply_errored", subject: subject("a"), action: "create", at: 0, elapsed: 0 });
  vi.advanceTimersByTime(10_000);
  expect(said).toEqual(["a 10000", "b 10000", "b 20000"]);
  still.close();
  vi.advanceTimersByTime(30_000);
  expect(said).toHaveLength(3);
});

test("the second half of a replacement begins anew", () => {
  const said: number[] = [];
  const still = reportStillRunning((_, elapsed) => void said.push(elapsed));
  for (const action of ["delete", "create"] as const) {
    still.events({ kind: "apply_start", subject: subject("a"), action, at: 0 });
    vi.advanceTimersByTime(9000);
  }
  vi.advanceTimersByTime(2000);
  expect(said).toEqual([10_000]);
  still.close();
});
