import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readRegular } from "./read-regular.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-read-regular-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

it("reads files, also through links", async () => {
  writeFileSync(join(directory, "a"), "text");
  symlinkSync("a", join(directory, "link"));
  expect(String(await readRegular(join(directory, "link")))).toBe("text");
});

it.skipIf(process.platform === "win32")("waits for no pipe and reads no device", async () => {
  execFileSync("mkfifo", [join(directory, "pipe")]);
  symlinkSync("/dev/zero", join(directory, "device"));
  for (const name of ["pipe", "device"])
    await expect(readRegular(join(directory, name))).rejects.toThrow("it is no regular file");
});

it("fails as the file system does", async () => {
  await expect(readRegular(directory)).rejects.toMatchObject({ code: "EISDIR" });
  await expect(readRegular(join(directory, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
});
