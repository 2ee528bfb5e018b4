import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processIdentity } from "../../files/process-identity.ts";
import { removeLeftBehind } from "./left-behind.ts";
import { lockState } from "./lock.ts";

let folder: string;
let statePath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-left-"));
  statePath = join(folder, "terraform.tfstate");
});
afterEach(() => rmSync(folder, { recursive: true }));

const uuid = "7d1a4b6e-8a51-4f6b-9a83-2f6a3a0d7d11";
const lockFile = `.terraform.tfstate.lock.info.${uuid}`;
const make = (name: string, text = "", secondsAgo = 0) => {
  writeFileSync(join(folder, name), text);
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(join(folder, name), then, then);
};
const goneProcess = async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  return JSON.stringify({ Process: { ...(await processIdentity(process.pid)), pid, started: "1" } });
};

test("what killed processes were writing goes when the lock is taken", async () => {
  for (const name of [
    ".terraform.tfstate.0b0ee9ea-12f6-4ac9-9f4b-0f1a6a0f2c11.tmp",
    ".terraform.tfstate.backup.0b0ee9ea-12f6-4ac9-9f4b-0f1a6a0f2c11.tmp",
    "..terraform.tfstate.journal.0b0ee9ea-12f6-4ac9-9f4b-0f1a6a0f2c11.tmp",
  ]) {
    make(name, "{");
  }
  make(lockFile, await goneProcess());
  make(lockFile.replace("info.", "info.takeover.").replace("7d", "8d"), "{", 90);
  const { lock } = await lockState({ statePath, operation: "x", timeout: 0 });
  expect(readdirSync(folder)).toEqual([".terraform.tfstate.lock.info"]);
  await lock!.release();
});

test("what may still be written stays, and so does everything that is not ours", async () => {
  make(lockFile, JSON.stringify({ Process: await processIdentity(process.pid) }));
  make(lockFile.replace("7d", "8d"), "{");
  make(".terraform.tfstate.swp", "", 999);
  make(".terraform.tfstate.0b0ee9ea-12f6-4ac9-9f4b-0f1a6a0f2c11.tmp.notes", "", 999);
  make("terraform.tfstate.0b0ee9ea-12f6-4ac9-9f4b-0f1a6a0f2c11.tmp", "", 999);
  make(".other.tfstate.0b0ee9ea-12f6-4ac9-9f4b-0f1a6a0f2c11.tmp", "", 999);
  make(".terraform.tfstate.journal", "", 999);
  const before = readdirSync(folder);
  await removeLeftBehind(statePath);
  expect(readdirSync(folder)).toEqual(before);
});

test.runIf(process.getuid?.() === 0)("a disk without room leaves no half lock", async (context) => {
  // One page, which the directory's files share.
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder]).status !== 0) context.skip();
  try {
    make("filler", "x".repeat(4096));
    const { problem } = await lockState({ statePath, operation: "x", timeout: 0 });
    expect(problem).toMatchObject({
      summary: "Cannot lock the state",
      detail: expect.stringContaining("no space left"),
    });
    expect(readdirSync(folder)).toEqual(["filler"]);
  } finally {
    spawnSync("umount", [folder]);
  }
});
