/**
 * Agents that are none: a login goes on without them, in time.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoHost, startDemoHost } from "../../../src/demo/host/demo-host.ts";
import { script } from "../../../src/script/script.ts";
import { HostError } from "../../../src/ssh/host-error.ts";
import { resolveLogin } from "../../../src/ssh/login/resolve-login.ts";
import { createSessionPool } from "../../../src/ssh/session-pool.ts";

let host: DemoHost;
const directory = mkdtempSync(join(tmpdir(), "conn3x-agents-"));
beforeAll(async () => {
  host = await startDemoHost();
});
afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true });
});

const flood = (socket: Socket, start: Buffer): void => {
  const block = Buffer.alloc(64 * 1024);
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.write(start);
  socket.on("drain", more);
  more();
};

const agents: Readonly<Record<string, (socket: Socket) => void>> = {
  "says nothing": () => {},
  "ends at once": (socket) => socket.end(),
  "answers without end": (socket) => flood(socket, Buffer.from("ffffffff0c", "hex")),
  "lists keys without end": (socket) => flood(socket, Buffer.from("fffffff00cffffffff", "hex")),
  "answers something else": (socket) => socket.write(Buffer.from("0000000501deadbeef", "hex")),
  "answers nonsense": (socket) => socket.write(Buffer.from("0000000a0cffffffff00000000ff", "hex")),
};

test.concurrent.each(Object.keys(agents))("one that %s", async (name) => {
  const path = join(directory, `${Object.keys(agents).indexOf(name)}`);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => agents[name]!(socket));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const config = join(directory, `config-${Object.keys(agents).indexOf(name)}`);
  writeFileSync(config, `IdentityAgent ${path}\n`);
  const { privateKey, ...login } = host.login;
  const pool = createSessionPool();
  const ask = (more: object): Promise<unknown> =>
    pool
      .session(resolveLogin({ ...login, agent: true, sshConfigFile: config, ...more }))
      .ask(script`echo in`)
      .catch((error: unknown) => error);
  const began = performance.now();
  // With a key of its own a login does without the agent; without one it is refused.
  expect(await ask({ privateKey })).toMatchObject({ status: 0 });
  expect(await ask({})).toBeInstanceOf(HostError);
  expect(performance.now() - began).toBeLessThan(25_000);
  await pool.close();
  server.close();
});
