import { expect, it } from "vitest";
import type { Event } from "../../engine/event.ts";
import { eventLines } from "./ui-event-lines.ts";

const subject = { address: 'conn3x_file.web__a["web1"]', host: "web1", circuit: "web", member: "a" };
const lines = eventLines(
  (_level, message) => message,
  () => undefined,
  new Map(),
);
const begun = { kind: "apply_start", subject, action: "delete", at: 0 } as const;
const done = { kind: "apply_complete", subject, action: "delete", at: 0, elapsed: 2000 } as const;

it.each<readonly [Event, string]>([
  [begun, "Destroying..."],
  [{ ...begun, kept: true }, "Forgetting..."],
  [{ ...begun, kept: "perhaps" }, "Ending..."],
  [done, "Destruction complete after 2s"],
  [{ ...done, kept: true }, "Kept on the host, and forgotten, after 2s"],
])("%j", (event, words) => {
  expect(lines.event(event)).toBe(`${subject.address}: ${words}`);
});
