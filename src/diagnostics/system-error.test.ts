import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemErrorText } from "./system-error.ts";

test("says what the system means, without the path", () => {
  try {
    readFileSync("/nowhere/at/all");
    expect.unreachable();
  } catch (error) {
    expect(systemErrorText(error)).toBe("there is no such file or directory");
  }
});

test("quotes nothing of what the system did not say", () => {
  expect(systemErrorText(new Error("odd"))).toMatch(/^Error at .*system-error\.test\.ts/);
  expect(systemErrorText("plain")).toBe("string");
});
