import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemErrorSentence, systemErrorText } from "./system-error.ts";

test("says what the system means, without the path", () => {
  try {
    readFileSync("/nowhere/at/all");
    expect.unreachable();
  } catch (error) {
    expect(systemErrorText(error)).toBe("there is no such file or directory");
  }
});

test.each([
  ["/dev/full", "there is no space left on the device. Make room there, then run again."],
  ["/proc/version", /(permission denied|that is not permitted|input or output failed)\. /],
])("says what to do where that is not plain: %s", (path, text) => {
  try {
    writeFileSync(path, "x");
    expect.unreachable();
  } catch (error) {
    expect(systemErrorSentence(error)).toMatch(text);
  }
});

test("names what has no words here as the system does, and an address with it", () => {
  const error = (more: object): Error => Object.assign(new Error("a message"), more);
  expect(systemErrorText(error({ code: "ESTALE", errno: -18, syscall: "open", path: "/x" }))).toBe(
    "cross-device link not permitted",
  );
  expect(systemErrorText(error({ code: "ECONNREFUSED", errno: -111, syscall: "connect" }))).toBe("a message");
});

test("quotes nothing of what the system did not say", () => {
  expect(systemErrorText(new Error("odd"))).toMatch(/^Error at .*system-error\.test\.ts/);
  expect(systemErrorText("plain")).toBe("string");
});
