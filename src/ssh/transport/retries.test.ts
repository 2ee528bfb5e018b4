import { createServer } from "node:net";
import { expect, it, test } from "vitest";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import { startFaultProxy } from "../testing/fault-proxy.ts";
import { createOpensshTransport } from "./openssh-transport.ts";
import { mayTryAgain, pauseAfter, wasRefused } from "./retries.ts";
import { createSsh2Transport } from "./ssh2-transport.ts";

const never = new AbortController().signal;

test("without a number only what was closed early is tried again, for ever", () => {
  expect(mayTryAgain({}, "dropped", 1000)).toBe(true);
  expect(mayTryAgain({}, "refused", 1)).toBe(false);
});

test("a number counts what comes after the first attempt", () => {
  for (const failure of ["dropped", "refused"] as const) {
    expect([1, 2, 3].map((attempts) => mayTryAgain({ retries: 2 }, failure, attempts))).toEqual([
      true,
      true,
      false,
    ]);
    expect(mayTryAgain({ retries: 0 }, failure, 1)).toBe(false);
  }
});

test("pauses grow up to some seconds", () => {
  expect(pauseAfter(1)).toBeLessThanOrEqual(250);
  expect(pauseAfter(5)).toBeGreaterThanOrEqual(2400);
  expect(pauseAfter(50)).toBeLessThanOrEqual(4000);
});

test("what may pass is told by the cause, through all that wraps it", () => {
  const refused = Object.assign(new Error("x"), { code: "ECONNREFUSED" });
  const wrapped = new HostError("unreachable", "h", "m", "", false, { cause: refused });
  expect(wasRefused(new HostError("unreachable", "h", "n", "", false, { cause: wrapped }))).toBe(true);
  expect(wasRefused(Object.assign(new Error("no connection"), { reason: 2 }))).toBe(true);
  expect(wasRefused(Object.assign(new Error("forbidden"), { reason: 1 }))).toBe(false);
  expect(wasRefused(Object.assign(new Error("x"), { code: "ENOTFOUND" }))).toBe(false);
});

const transports = { ssh2: createSsh2Transport, openssh: createOpensshTransport };

it.each(["ssh2", "openssh"] as const)("%s: as many attempts as the login allows", async (name) => {
  const host = await startDemoHost();
  const connect = (port: number, more: Partial<Login>) =>
    transports[name]().connect(
      resolveLogin({
        ...host.login,
        port,
        hostKeyChecking: "off",
        hostKey: undefined,
        connectTimeout: 8,
        ...more,
      }),
      never,
    );
  const proxy = await startFaultProxy(host.port, 3);
  await expect(connect(proxy.port, { retries: 1 })).rejects.toMatchObject({ code: "unreachable" });
  expect(proxy.accepted()).toBe(2);
  const connection = await connect(proxy.port, { retries: 1 });
  expect(proxy.accepted()).toBe(4);
  await connection.end();
  await proxy.close();

  // Nothing listens there until a moment later.
  const { port } = proxy;
  await expect(connect(port, {})).rejects.toMatchObject({ message: expect.not.stringContaining("times") });
  await expect(connect(port, { retries: 1 })).rejects.toMatchObject({
    message: expect.stringMatching(/refused.*, 2 times$/),
  });
  const late = createServer((near) => near.destroy());
  setTimeout(() => late.listen(port, "127.0.0.1"), 400);
  await expect(connect(port, { retries: 3 })).rejects.toMatchObject({
    message: expect.stringMatching(name === "ssh2" ? /closed the connection 4 times/ : /4 times/),
  });
  await new Promise((done) => late.close(done));
  await host.close();
});

it("a host that answers nothing is lost after four keep-alives", { timeout: 10_000 }, async () => {
  const host = await startDemoHost();
  const proxy = await startFaultProxy(host.port);
  const login = resolveLogin({ ...host.login, port: proxy.port, keepalive: 1 });
  const connection = await createSsh2Transport().connect(login, never);
  const start = Date.now();
  proxy.freeze();
  expect(await connection.ended).toMatchObject({
    code: "lost",
    message: expect.stringContaining("no answer to keep-alive messages for 4 s"),
  });
  expect(Date.now() - start).toBeGreaterThan(3000);
  expect(Date.now() - start).toBeLessThan(6000);
  await proxy.close();
  await host.close();
});
