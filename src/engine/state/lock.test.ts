import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LockInfo, lockPath, lockState } from "./lock.ts";
import { processIdentity } from "./process-identity.ts";

let folder: string;
let statePath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-lock-"));
  statePath = join(folder, "terraform.tfstate");
});
afterEach(() => rmSync(folder, { recursive: true }));

const request = (timeout = 0) => ({ statePath, operation: "apply", version: "0.1.0", timeout });

/** As OpenTofu's local backend writes it. */
const tofuLock: LockInfo = {
  ID: "1eeacf51-7a70-eb10-f305-43d515b5ea70",
  Operation: "OperationTypeApply",
  Info: "",
  Who: "somebody@elsewhere",
  Version: "1.12.6",
  Created: "2026-11-29T23:31:23.947395406Z",
  Path: "terraform.tfstate",
};

test("a lock is held until it is released, and leaves nothing behind", async () => {
  const { lock } = await lockState(request());
  const second = await lockState(request());
  expect(second.lock).toBeUndefined();
  expect(second.problem?.summary).toBe("Error acquiring the state lock");
  expect(second.problem?.detail).toContain(lock!.info.ID);
  await lock!.release();
  const third = await lockState(request());
  expect(third.lock).toBeDefined();
  await third.lock!.release();
  expect(readdirSync(folder)).toEqual([]);
});

test("of many who try at once one gets it", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => lockState(request())));
  expect(all.filter(({ lock }) => lock !== undefined)).toHaveLength(1);
});

test("who waits gets it when it is released", async () => {
  const { lock } = await lockState(request());
  const waiting = lockState(request(5000));
  await lock!.release();
  expect((await waiting).lock).toBeDefined();
});

test("OpenTofu's lock is respected and said in its words", async () => {
  writeFileSync(lockPath(statePath), JSON.stringify(tofuLock));
  const { problem } = await lockState(request());
  expect(problem?.detail).toContain("Who:       somebody@elsewhere");
  expect(problem?.detail).toContain("Operation: OperationTypeApply");
  expect(existsSync(lockPath(statePath))).toBe(true);
});

test("the lock of a process that is gone is taken over", async () => {
  const { pid } = spawnSync("true");
  writeFileSync(
    lockPath(statePath),
    JSON.stringify({ ...tofuLock, Process: { pid, machine: hostname(), boot: "", started: "" } }),
  );
  expect((await lockState(request())).lock).toBeDefined();
});

test("so is that of an earlier process with the number of a running one", async () => {
  const identity = { ...(await processIdentity(process.pid)), started: "1" };
  writeFileSync(lockPath(statePath), JSON.stringify({ ...tofuLock, Process: identity }));
  expect((await lockState(request())).lock).toBeDefined();
});

test("that of a running process, and of another machine, is not", async () => {
  const running = await processIdentity(process.pid);
  for (const identity of [running, { ...running, pid: 2 ** 22, machine: "elsewhere" }]) {
    writeFileSync(lockPath(statePath), JSON.stringify({ ...tofuLock, Process: identity }));
    expect((await lockState(request())).lock).toBeUndefined();
  }
});

test("a lock file that cannot be read is held", async () => {
  writeFileSync(lockPath(statePath), "");
  expect((await lockState(request())).problem?.detail).toContain("does not say who");
});

test("releasing leaves another's lock alone", async () => {
  const { lock } = await lockState(request());
  writeFileSync(lockPath(statePath), JSON.stringify(tofuLock));
  await lock!.release();
  expect(JSON.parse(readFileSync(lockPath(statePath), "utf8"))).toEqual(tofuLock);
});
