import pico from "picocolors";
import { describe, expect, it } from "vitest";
import type { Event } from "../../engine/event.ts";
import { progressLine, seconds, stillLine } from "./progress.ts";

const options = { colors: pico.createColors(false), live: false };
const file = { address: 'conn3x_file.web__config["web1"]', host: "web1", circuit: "web", member: "config" };
const handler = { ...file, address: 'conn3x_service_action.web__reload["web1"]', member: "reload" };
const inner = { ...handler, address: `module.site["a.b"].module.deep[0].${handler.address}` };

describe("stillLine", () => {
  const reported = (subject: typeof file, action: "create" | "update" | "delete") =>
    stillLine({ kind: "apply_start", subject, action, at: 0 }, 20_000, options);

  it("says what still runs, and how long it has", () => {
    expect(reported(file, "update")).toBe(`${file.address}: Still updating after 20s\n`);
    expect(reported(handler, "create")).toBe(`${handler.address}: Still running after 20s\n`);
  });

  it("says nothing of what is not shown, and nothing on a terminal", () => {
    expect(reported(handler, "delete")).toBe(undefined);
    const begins = { kind: "apply_start", subject: file, action: "update", at: 0 } as const;
    expect(stillLine(begins, 20_000, { ...options, live: true })).toBe(undefined);
  });
});

describe("progressLine", () => {
  it.each<[Event, string | undefined]>([
    [{ kind: "apply_start", subject: file, action: "update", at: 0 }, `${file.address}: Updating...\n`],
    [
      { kind: "apply_complete", subject: file, action: "create", at: 0, elapsed: 1234 },
      `${file.address}: Created after 1.2s\n`,
    ],
    [
      { kind: "apply_errored", subject: file, action: "delete", at: 0, elapsed: 10 },
      `${file.address}: Failed after 0.0s\n`,
    ],
    [
      { kind: "apply_skipped", subject: file, because: "tools failed on web1", at: 0 },
      `${file.address}: Not done: tools failed on web1\n`,
    ],
    [{ kind: "apply_start", subject: handler, action: "create", at: 0 }, `${handler.address}: Running...\n`],
    [
      { kind: "apply_complete", subject: handler, action: "create", at: 0, elapsed: 0 },
      `${handler.address}: Ran after 0.0s\n`,
    ],
    [{ kind: "apply_start", subject: handler, action: "update", at: 0 }, `${handler.address}: Updating...\n`],
    [{ kind: "apply_start", subject: inner, action: "create", at: 0 }, `${inner.address}: Running...\n`],
    [{ kind: "apply_start", subject: inner, action: "delete", at: 0 }, undefined],
    [{ kind: "apply_complete", subject: handler, action: "delete", at: 0, elapsed: 0 }, undefined],
    [{ kind: "apply_start", subject: file, action: "delete", at: 0 }, `${file.address}: Deleting...\n`],
    [
      { kind: "apply_start", subject: file, action: "delete", kept: true, at: 0 },
      `${file.address}: Forgetting...\n`,
    ],
    [
      { kind: "apply_start", subject: file, action: "delete", kept: "perhaps", at: 0 },
      `${file.address}: Ending...\n`,
    ],
    [
      { kind: "apply_complete", subject: file, action: "delete", kept: true, at: 0, elapsed: 0 },
      `${file.address}: Kept on the host, and forgotten, after 0.0s\n`,
    ],
    [
      { kind: "apply_complete", subject: file, action: "update", unchanged: true, at: 0, elapsed: 0 },
      `${file.address}: Nothing to change, as it turned out, after 0.0s\n`,
    ],
    [{ kind: "refresh_start", subject: file, at: 0 }, undefined],
  ])("%j", (event, line) => {
    expect(progressLine(event, options)).toBe(line);
  });

  it("shows a terminal only what is complete", () => {
    expect(
      progressLine(
        { kind: "apply_start", subject: file, action: "update", at: 0 },
        { ...options, live: true },
      ),
    ).toBeUndefined();
  });
});

describe("seconds", () => {
  it.each([
    [0, "0.0s"],
    [9949, "9.9s"],
    [9950, "10s"],
    [59_400, "59s"],
    [61_000, "1m01s"],
  ])("%i ms is %s", (elapsed, text) => {
    expect(seconds(elapsed)).toBe(text);
  });
});
