import { describe, expect, test } from "vitest";
import type { HostEvent } from "../../ssh/trace/host-event.ts";
import { hostEventLine, hostEventText } from "./host-event.ts";

const at = new Date("2026-01-02T03:04:05.678Z");
const host = "web1";
const asked = { host, kind: "asked", id: 3, request: "facts", text: "\nstat /srv\nls\n" } as const;
const answered = { host, kind: "answered", id: 3, request: "facts", milliseconds: 20.5 } as const;

const events: readonly [HostEvent, string, string][] = [
  [
    { host, kind: "connecting", address: "192.0.2.1", port: 22, user: "deploy" },
    "connecting to 192.0.2.1 port 22 as deploy",
    "connecting to 192.0.2.1 port 22 as deploy",
  ],
  [
    {
      host,
      kind: "connecting",
      address: "192.0.2.1",
      port: 22,
      user: "deploy",
      becomes: "root with sudo",
    },
    "connecting to 192.0.2.1 port 22 as deploy, to become root with sudo",
    "connecting to 192.0.2.1 port 22 as deploy, to become root with sudo",
  ],
  [{ host, kind: "connected", milliseconds: 1234.4 }, "logged in after 1.234 s", "logged in after 1.234 s"],
  [
    { host, kind: "not_connected", milliseconds: 10, error: "refused\nTry again." },
    "not logged in after 0.010 s: refused\n    Try again.",
    "not logged in after 0.010 s: refused␊Try again.",
  ],
  [{ host, kind: "disconnected" }, "disconnected", "disconnected"],
  [{ host, kind: "disconnected", error: "reset" }, "connection lost: reset", "connection lost: reset"],
  [{ host, kind: "login", text: "offers password" }, "offers password", "offers password"],
  [
    { host, kind: "channel", command: "exec /bin/sh", milliseconds: 5 },
    "channel opened after 0.005 s: exec /bin/sh",
    "channel opened after 0.005 s: exec /bin/sh",
  ],
  [
    { host, kind: "channel", command: "exec /bin/sh", milliseconds: 5, error: "no more" },
    "channel not opened: no more",
    "channel not opened: no more",
  ],
  [asked, "#3 facts:\n    stat /srv\n    ls", "#3 facts: stat /srv␊ls"],
  [
    { ...asked, purpose: "look at conn3x_file" },
    "#3 facts, to look at conn3x_file:\n    stat /srv\n    ls",
    "#3 facts, to look at conn3x_file",
  ],
  [
    { ...asked, request: "command", purpose: "run the command", text: "id" },
    "#3 command, to run the command:\n    id",
    "#3 command, to run the command: id",
  ],
  [
    { ...answered, status: 1, stdout: "out\n", stderr: "bad\n" },
    "#3 facts answered after 0.021 s, status 1\n  standard output:\n    out\n  standard error:\n    bad",
    "#3 facts answered after 0.021 s, status 1: bad",
  ],
  [
    { ...answered, error: "it was lost" },
    "#3 facts failed after 0.021 s\n    it was lost",
    "#3 facts failed after 0.021 s: it was lost",
  ],
];

test.each(events)("%j", (event, full, short) => {
  expect(hostEventText(event, at)).toBe(`2026-01-02T03:04:05.678Z  ${full}\n`);
  expect(hostEventLine(event)).toBe(`web1: ${short}\n`);
});

describe("what a host says", () => {
  const evil = { ...answered, status: 0, stdout: `\u001b[2J\u202e${"x".repeat(500)}` };
  test("steers no terminal", () => {
    for (const text of [hostEventLine(evil), hostEventText(evil, at)])
      for (const steering of ["\u001b", "\u202e"]) expect(text).not.toContain(steering);
    expect(hostEventLine({ host: "a\u001b\nb", kind: "disconnected" })).toBe("a␛␊b: disconnected\n");
  });
  test("is one line of -v, however long it is", () => {
    expect(hostEventLine(evil)).toMatch(/^.{100,200}…\n$/);
    expect(hostEventText(evil, at)).toContain("x".repeat(500));
  });
});
