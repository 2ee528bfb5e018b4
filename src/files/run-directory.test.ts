import { spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processIdentity } from "./process-identity.ts";
import { makeRunDirectory } from "./run-directory.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "conn3x-test-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const left = (name: string, owner?: object): string => {
  const directory = join(parent, name);
  mkdirSync(directory);
  writeFileSync(join(directory, "plan"), "secret");
  if (owner !== undefined) writeFileSync(join(directory, "owner.json"), JSON.stringify(owner));
  return directory;
};

test("it is for this user alone, and can be removed twice", async () => {
  const { path, remove } = await makeRunDirectory([parent]);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  remove();
  remove();
  expect(existsSync(path)).toBe(false);
});

test("what a killed command has left goes, and what others have stays", async () => {
  const here = await processIdentity(process.pid);
  const { pid } = spawnSync("true");
  const killed = left("conn3x-run-killed", { ...here, pid });
  const later = left("conn3x-run-later", { ...here, started: "1" });
  const others = [
    left("conn3x-run-running", here),
    left("conn3x-run-elsewhere", { ...here, pid, namespace: "pid:[1]" }),
    left("conn3x-run-nobodys"),
    left("conn3x-runs", { ...here, pid }),
  ];
  const running = await makeRunDirectory([parent]);
  await makeRunDirectory([parent]);
  expect([killed, later].filter(existsSync)).toEqual([]);
  expect([...others, running.path].filter(existsSync)).toEqual([...others, running.path]);
});

test("one that was never wholly made goes after a while", async () => {
  const now = Date.now() / 1000;
  const [making, old] = [left("conn3x-run-making"), left("conn3x-run-old")];
  utimesSync(making, now, now - 60);
  utimesSync(old, now, now - 7200);
  await makeRunDirectory([parent]);
  expect([making, old].map(existsSync)).toEqual([true, false]);
});

test("the first place that takes it is used", async () => {
  const file = join(parent, "file");
  writeFileSync(file, "");
  const { path } = await makeRunDirectory([join(parent, "missing"), file, parent]);
  expect(path.startsWith(join(parent, "conn3x-run-"))).toBe(true);
  await expect(makeRunDirectory([join(parent, "missing"), file])).rejects.toThrow(/ENOENT/);
});

// Only root can give a directory away.
test.skipIf(process.getuid?.() !== 0)(
  "what another user made stays, whatever it says of itself",
  async () => {
    const { pid } = spawnSync("true");
    const theirs = left("conn3x-run-theirs", { ...(await processIdentity(process.pid)), pid });
    chownSync(theirs, 65534, 65534);
    await makeRunDirectory([parent]);
    expect(existsSync(theirs)).toBe(true);
  },
);
