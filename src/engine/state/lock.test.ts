import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProcessIdentity, processIdentity } from "../../files/process-identity.ts";
import { type LockInfo, lockPath, lockState } from "./lock.ts";

let folder: string;
let statePath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-lock-"));
  statePath = join(folder, "terraform.tfstate");
});
afterEach(() => rmSync(folder, { recursive: true }));

const request = (timeout = 0) => ({ statePath, operation: "OperationTypePlan", timeout });

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
  expect(second.problem?.detail).toContain(`conn3x force-unlock ${lock!.info.ID}, or remove `);
  await lock!.release();
  const third = await lockState(request());
  expect(third.lock).toBeDefined();
  await third.lock!.release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a lock says what is done, and by which version", async () => {
  const { lock } = await lockState(request());
  const { problem } = await lockState(request());
  expect(problem?.detail).toContain("Operation: plan\n");
  expect(problem?.detail).toMatch(/Version: {3}Conn3x \d+\.\d+\.\d+/);
  const written = JSON.parse(readFileSync(lockPath(statePath), "utf8"));
  expect(written).toMatchObject({ Operation: "OperationTypePlan", Path: statePath });
  expect(written).toEqual(lock!.info);
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
  expect(problem?.detail).toContain("Operation: apply\n");
  expect(existsSync(lockPath(statePath))).toBe(true);
});

/** Whether a lock that says so about its process is taken over. */
async function takenOver(identity: ProcessIdentity): Promise<boolean> {
  writeFileSync(lockPath(statePath), JSON.stringify({ ...tofuLock, Process: identity }));
  return (await lockState(request())).lock !== undefined;
}

test("the lock of a process that is gone is taken over", async () => {
  const { pid } = spawnSync("true");
  expect(await takenOver({ ...(await processIdentity(process.pid)), pid })).toBe(true);
});

test("so is that of an earlier process with the number of a running one", async () => {
  expect(await takenOver({ ...(await processIdentity(process.pid)), started: "1" })).toBe(true);
});

test("so is that of a process before the machine was started again", async () => {
  const machineId = (await processIdentity(process.pid)).machineId;
  const before = { ...(await processIdentity(process.pid)), boot: "another" };
  expect(await takenOver(before)).toBe(machineId !== "");
});

test("that of a running process is not, nor one of which nothing is known here", async () => {
  const running = await processIdentity(process.pid);
  const { pid } = spawnSync("true");
  const gone = { ...running, pid };
  for (const identity of [
    running,
    { ...gone, boot: "another", machineId: "another" },
    { ...gone, boot: "another", machineId: "" },
    { ...gone, namespace: "pid:[1]" },
  ]) {
    expect(await takenOver(identity)).toBe(false);
  }
});

test.each(["", "null", "7", "{"])("a lock file that says %j is held", async (text) => {
  writeFileSync(lockPath(statePath), text);
  const { problem } = await lockState(request());
  expect(problem?.summary).toBe("Error acquiring the state lock");
  expect(problem?.detail).toContain(`any more, remove ${lockPath(statePath)}.`);
});

test("a lock file that cannot be read is held", async () => {
  mkdirSync(lockPath(statePath));
  expect((await lockState(request())).problem?.detail).toContain("does not say who");
});

test("releasing leaves another's lock alone", async () => {
  const { lock } = await lockState(request());
  writeFileSync(lockPath(statePath), JSON.stringify(tofuLock));
  await lock!.release();
  expect(JSON.parse(readFileSync(lockPath(statePath), "utf8"))).toEqual(tofuLock);
});
