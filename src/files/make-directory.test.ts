import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeDirectory } from "./make-directory.ts";

const root = mkdtempSync(join(tmpdir(), "conn3x-make-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("makes what is missing on the way, and takes what is there", () => {
  const path = join(root, "a/b/c");
  makeDirectory(path, 0o700);
  makeDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(root, "a")).mode & 0o777).toBe(0o700);
});

test("a link to a directory is one", () => {
  symlinkSync(root, join(root, "link"));
  makeDirectory(join(root, "link"));
  makeDirectory(join(root, "link/below"));
  expect(existsSync(join(root, "below"))).toBe(true);
});

test("what cannot be made is an error", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => makeDirectory(join(root, "file"))).toThrow("EEXIST");
  expect(() => makeDirectory(join(root, "file/below"))).toThrow("ENOTDIR");
  symlinkSync("nowhere", join(root, "dangling"));
  expect(() => makeDirectory(join(root, "dangling"))).toThrow();
});

// Two parents are there, the last is not and cannot be: Node 20's own function does not come back from this.
test.skipIf(!existsSync("/proc/self"))("ends where nothing can be made", () => {
  expect(() => makeDirectory("/proc/no-such-process/below")).toThrow("ENOENT");
});
