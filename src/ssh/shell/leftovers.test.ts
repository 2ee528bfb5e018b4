import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DemoHost } from "../../demo/host/demo-host.ts";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { Session, SessionPool } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";
import { parseMarks } from "./operation-mark.ts";

let host: DemoHost;
const pools: SessionPool[] = [];
beforeAll(async () => {
  host = await startDemoHost();
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await host.close();
});
/** Of a run of its own. */
const session = (project = "one"): Session => {
  const pool = createSessionPool({ project });
  pools.push(pool);
  return pool.session(resolveLogin(host.login));
};

it.each([{}, { timeout: 20 }])("another run sees what still runs, until it ends (%j)", async (limit) => {
  const [one, other] = [session(), session()];
  const began = join(host.root, `began${JSON.stringify(limit).length}`);
  const script = `: >${began}; sleep 4`;
  const request = {
    script,
    work: ["other", `sleeping ${JSON.stringify(limit)}`],
    sharedWork: ["packages"],
    ...limit,
  };
  const running = one.run(request);
  await expect.poll(() => existsSync(began), { timeout: 10_000, interval: 20 }).toBe(true);
  expect(await other.leftRunning([{ script: "another", work: request.work.slice(1) }])).toBe("ours");
  expect(await session().leftRunning([{ script: "", work: ["other work"] }])).toBe(undefined);
  // The same words of another project are other work; a package manager is one for all.
  expect(await session("two").leftRunning([{ script, work: request.work }])).toBe(undefined);
  expect(await session("two").leftRunning([{ script: "", sharedWork: ["packages"] }])).toBe("others");
  expect(await other.leftRunning([{ script: "", sharedWork: ["packages"] }])).toBe("ours");
  // Whose answer is awaited is no leftover.
  expect(await one.leftRunning([request])).toBe(undefined);
  await running;
  expect(await other.leftRunning([request])).toBe(undefined);
});

it("what a command leaves behind does not count as the command", async () => {
  const request = {
    script: "sleep 2 >/dev/null 2>&1 </dev/null & env | grep -c CONN3X_OPERATION",
    work: ["leaving"],
  };
  const { stdout } = await session().run(request);
  expect(stdout.toString()).toBe("0\n");
  expect(await session().leftRunning([request])).toBe(undefined);
});

it("a host without any marks is asked once", async () => {
  const asked = session();
  for (let i = 0; i < 3; i++)
    expect(await asked.leftRunning([{ script: "", work: [`${i}`] }])).toBe(undefined);
  expect(asked.counters.requests).toBe(1);
});

it("what another program has in its environment is no mark", () => {
  const mark = `${"a".repeat(32)}-${"b".repeat(16)}-${"c".repeat(8)}`;
  expect(parseMarks(Buffer.from(`x\n${mark}\n${mark}0\nrm -rf /\n`))).toEqual([
    { mark, keys: ["a".repeat(32)], run: "b".repeat(16) },
  ]);
});
