import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFile, temporaryNamesOf } from "./replace-file.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-files-"));
  path = join(folder, "a");
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (name: string) => statSync(name).mode & 0o777;

test("a file keeps its mode, gets that of another, or the one that is given", async () => {
  writeFileSync(path, "old");
  chmodSync(path, 0o640);
  await replaceFile(path, "new");
  expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["new", 0o640]);
  await replaceFile(
    join(folder, "b"),
    ["x", "y"].map((part) => Buffer.from(part)),
    { like: path },
  );
  expect([readFileSync(join(folder, "b"), "utf8"), modeOf(join(folder, "b"))]).toEqual(["xy", 0o640]);
  await replaceFile(path, "mine", { mode: 0o600 });
  expect(modeOf(path)).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["a", "b"]);
});

test("a link stays one, and what is no file is not replaced", async () => {
  writeFileSync(join(folder, "b"), "old");
  symlinkSync("b", path);
  await replaceFile(path, "new");
  expect(readFileSync(join(folder, "b"), "utf8")).toBe("new");
  await replaceFile("/dev/null", "x");
  expect(statSync("/dev/null").isFile()).toBe(false);
  mkdirSync(join(folder, "c"));
  await expect(replaceFile(join(folder, "c"), "x")).rejects.toMatchObject({ code: "EISDIR" });
});

test("when it cannot be written the old one stays, and nothing is left beside it", async () => {
  writeFileSync(path, "old");
  const parts = [Buffer.from("new"), 7 as unknown as Uint8Array];
  await expect(replaceFile(path, parts)).rejects.toThrow();
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["a"]);
  await expect(replaceFile(join(folder, "none", "a"), "x")).rejects.toMatchObject({ code: "ENOENT" });
  expect(existsSync(join(folder, "none"))).toBe(false);
});

test("what is left by one that was killed is known by its name", () => {
  expect(temporaryNamesOf("a").test(".a.0b0ee9ea-12f6-4ac9-9f4b-0f1a6a0f2c11.tmp")).toBe(true);
  expect(temporaryNamesOf("a").test(".b.0b0ee9ea-12f6-4ac9-9f4b-0f1a6a0f2c11.tmp")).toBe(false);
  expect(temporaryNamesOf("a").test(".a.notes.tmp")).toBe(false);
});
