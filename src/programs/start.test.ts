import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isNowhere } from "./start.ts";

let directory: string;
const before = process.env.PATH;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-path-"));
  process.env.PATH = directory;
});
afterEach(() => {
  process.env.PATH = before;
  rmSync(directory, { recursive: true });
});

const failure = (code: string) => Object.assign(new Error(code), { code });

test("what an unreadable directory on the PATH hides is nowhere, and what may not be run is there", () => {
  expect(isNowhere("tofu", failure("ENOENT"))).toBe(true);
  expect(isNowhere("tofu", failure("EACCES"))).toBe(true);
  writeFileSync(join(directory, "tofu"), "");
  chmodSync(join(directory, "tofu"), 0o600);
  expect(isNowhere("tofu", failure("EACCES"))).toBe(false);
  expect(isNowhere("/x/tofu", failure("EACCES"))).toBe(false);
});
