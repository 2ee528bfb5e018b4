import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DemoHost } from "../../demo/host/demo-host.ts";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { script } from "../../script/script.ts";
import type { HostError } from "../host-error.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { Answer } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";
import type { FaultProxy } from "../testing/fault-proxy.ts";
import { startFaultProxy } from "../testing/fault-proxy.ts";

let host: DemoHost;
beforeAll(async () => {
  host = await startDemoHost();
});
afterAll(() => host.close());

describe("a lost connection", () => {
  let proxy: FaultProxy;
  beforeAll(async () => {
    proxy = await startFaultProxy(host.port);
  });
  afterAll(() => proxy.close());

  const outcome = (answer: Promise<Answer>): Promise<Answer | HostError> =>
    answer.catch((error: HostError) => error);

  it("fails what waits, and the next question connects anew", async () => {
    const own = createSessionPool();
    const asked = own.session(resolveLogin({ ...host.login, port: proxy.port }));
    await asked.ask(script`true`);
    const waiting = [outcome(asked.ask(script`sleep 2`)), outcome(asked.run({ script: "sleep 2" }))];
    await new Promise((later) => setTimeout(later, 300));
    proxy.cut();
    for (const error of await Promise.all(waiting)) {
      expect(error).toMatchObject({ code: "lost", started: true, hostDown: true });
    }
    expect((await asked.ask(script`echo again`)).stdout.toString()).toBe("again\n");
    await own.close();
  });

  it("is noticed by keep-alive messages where the host is frozen", async () => {
    const own = createSessionPool();
    const asked = own.session(resolveLogin({ ...host.login, port: proxy.port, keepalive: 0.2 }));
    await asked.ask(script`true`);
    proxy.freeze();
    const error = await outcome(asked.ask(script`true`));
    expect(error).toMatchObject({ code: "lost", message: expect.stringContaining("keep-alive") });
    proxy.thaw();
    await own.close();
  });

  it("does not hold the end of a run up where the host is frozen", async () => {
    const own = createSessionPool();
    const asked = own.session(resolveLogin({ ...host.login, port: proxy.port }));
    await asked.ask(script`true`);
    const running = outcome(asked.run({ script: "sleep 3" }));
    await new Promise((later) => setTimeout(later, 200));
    proxy.freeze();
    const waiting = outcome(asked.ask(script`true`));
    await new Promise((later) => setTimeout(later, 20));
    const begin = performance.now();
    await own.close();
    expect(performance.now() - begin).toBeLessThan(2000);
    expect(await waiting).toMatchObject({ code: "closed", started: true });
    expect(await running).toMatchObject({ code: "closed", started: true });
    expect(await outcome(asked.ask(script`true`))).toMatchObject({ code: "closed", started: false });
    proxy.thaw();
  });

  it("says of a shell that was killed which questions never began", async () => {
    const own = createSessionPool();
    const asked = own.session(resolveLogin(host.login));
    const [killed, next] = await Promise.all([
      outcome(asked.ask(script`kill -9 $$`)),
      outcome(asked.ask(script`echo next`)),
    ]);
    expect(killed).toMatchObject({ code: "lost", started: true });
    expect(next).toMatchObject({ status: 0, stdout: Buffer.from("next\n") });
    await own.close();
  });
});
