import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { isZip, withZipEntry, zipEntry } from "./zip.ts";

/** An empty archive is its end record alone. */
const empty = Buffer.from(`504b0506${"00".repeat(18)}`, "hex");

/** One stored entry `a` with the content `hi`, put together by hand; CRC-32 of "hi" is d8932aac. */
const one = Buffer.from(
  [
    "504b0304 0a00 0000 0000 0000 2100 ac2a93d8 02000000 02000000 0100 0000 61 6869",
    "504b0102 1400 0a00 0000 0000 0000 2100 ac2a93d8 02000000 02000000 0100 0000 0000 0000 0000 00000000 00000000 61",
    "504b0506 0000 0000 0100 0100 2f000000 21000000 0000",
  ]
    .join("")
    .replaceAll(" ", ""),
  "hex",
);

test("a stored entry is found by its name, and no other", () => {
  expect(zipEntry(one, "a")?.toString()).toBe("hi");
  expect(zipEntry(one, "b")).toBeUndefined();
});

test("an added entry is read again, and what was there stays", () => {
  const content = Buffer.from("reasons ".repeat(1000));
  const more = withZipEntry(one, "conn3x.json", content)!;
  expect(zipEntry(more, "conn3x.json")).toEqual(content);
  expect(zipEntry(more, "a")?.toString()).toBe("hi");
  expect(more.length).toBeLessThan(500);
});

test("an entry that says it is gigabytes long is left alone", () => {
  const huge = Buffer.from(one);
  // Its uncompressed size in the central directory, which begins 33 bytes into the file.
  huge.writeUInt32LE(0x7fffffff, 33 + 24);
  expect(zipEntry(huge, "a")).toBeUndefined();
});

test("equal contents make equal files", () => {
  const content = Buffer.from("reasons");
  vi.useFakeTimers({ now: new Date("2031-02-03T04:05:06Z"), toFake: ["Date"] });
  const later = withZipEntry(one, "conn3x.json", content);
  vi.useRealTimers();
  expect(withZipEntry(one, "conn3x.json", content)).toEqual(later);
});

test("an entry may be added to an empty archive, and to one with a comment", () => {
  expect(zipEntry(withZipEntry(empty, "x", Buffer.from("1"))!, "x")?.toString()).toBe("1");
  const comment = Buffer.from("said");
  const commented = Buffer.concat([one, comment]);
  commented.writeUInt16LE(comment.length, one.length - 2);
  const more = withZipEntry(commented, "x", Buffer.from("1"))!;
  expect(zipEntry(more, "x")?.toString()).toBe("1");
  expect(more.subarray(-4)).toEqual(comment);
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!hasPython)("another program reads what was added", () => {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-zip-"));
  try {
    writeFileSync(join(directory, "a.zip"), withZipEntry(one, "conn3x.json", Buffer.from("{}"))!);
    const script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist())";
    const said = execFileSync("python3", ["-c", script, join(directory, "a.zip")], { encoding: "utf8" });
    expect(said).toBe("None ['a', 'conn3x.json']\n");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test("what is no archive, or a damaged one, has no entries", () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from("no archive at all, but long enough to be one")]) {
    expect(isZip(bytes)).toBe(false);
    expect(zipEntry(bytes, "a")).toBeUndefined();
    expect(withZipEntry(bytes, "a", bytes)).toBeUndefined();
  }
  const damaged = Buffer.from(one);
  damaged[31] = 0x21;
  expect(zipEntry(damaged, "a")).toBeUndefined();
  expect(isZip(one.subarray(0, 60))).toBe(false);
});
