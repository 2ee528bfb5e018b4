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

test("keeps the message of what it does not know", () => {
  expect(systemErrorText(new Error("odd"))).toBe("odd");
  expect(systemErrorText("plain")).toBe("plain");
});
