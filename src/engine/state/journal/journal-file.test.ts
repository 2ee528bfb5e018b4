import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { JournalFile } from "./journal-file.ts";

/** What the disk refuses. */
const disk = vi.hoisted(() => ({ isFull: false, cannotTruncate: false }));

vi.mock("node:fs", async (original) => {
  const files = await original<typeof import("node:fs")>();
  return {
    ...files,
    // A full disk takes a part.
    writeSync(file: number, bytes: Buffer, from: number): number {
      if (!disk.isFull) return files.writeSync(file, bytes, from);
      files.writeSync(file, bytes, from, Math.ceil((bytes.length - from) / 2));
      throw new Error("no space left on device");
    },
    ftruncateSync(file: number, length: number): void {
      if (disk.cannotTruncate) throw new Error("input/output error");
      files.ftruncateSync(file, length);
    },
  };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-journal-"));
  path = join(folder, "journal");
});
afterEach(() => {
  disk.isFull = false;
  disk.cannotTruncate = false;
  rmSync(folder, { recursive: true });
});

test("a line that does not fit is not there, and later ones are", async () => {
  const journal = new JournalFile(path);
  journal.append("first\n");
  disk.isFull = true;
  expect(() => journal.append("second\n")).toThrow("no space");
  expect(readFileSync(path, "utf8")).toBe("first\n");
  disk.isFull = false;
  journal.append("third\n");
  await journal.close();
  expect(readFileSync(path, "utf8")).toBe("first\nthird\n");
});

test("nothing follows half a line that cannot be taken back, until it can", async () => {
  const journal = new JournalFile(path);
  journal.append("first\n");
  disk.isFull = true;
  disk.cannotTruncate = true;
  expect(() => journal.append("second\n")).toThrow();
  disk.isFull = false;
  expect(() => journal.append("third\n")).toThrow();
  expect(readFileSync(path, "utf8")).toBe("first\nseco");
  disk.cannotTruncate = false;
  journal.append("fourth\n");
  await journal.close();
  expect(readFileSync(path, "utf8")).toBe("first\nfourth\n");
});

test("what was there stays", async () => {
  for (const line of ["é\n", "b\n"]) {
    const journal = new JournalFile(path);
    journal.append(line);
    disk.isFull = true;
    expect(() => journal.append("more\n")).toThrow();
    disk.isFull = false;
    await journal.close();
  }
  expect(readFileSync(path, "utf8")).toBe("é\nb\n");
});
