import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { startDemoHost } from "../demo/host/demo-host.ts";
import { raw } from "../script/script.ts";
import { HostError } from "./host-error.ts";
import { resolveLogin } from "./login/resolve-login.ts";
import { createSessionPool } from "./session-pool.ts";
import { startFaultProxy } from "./testing/fault-proxy.ts";

/** What is done one after another, without waiting for any of it. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant("ask" as const) },
  { weight: 2, arbitrary: fc.constant("run" as const) },
  { weight: 2, arbitrary: fc.constantFrom("put small" as const, "put large" as const) },
  { weight: 2, arbitrary: fc.constant("wait" as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("cut" as const, "freeze" as const, "kill shell" as const, "reset" as const),
  },
);

it("answers or fails everything in time, whatever happens to the connection, and never wrongly", async () => {
  const host = await startDemoHost({ maxSessions: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const proxy = await startFaultProxy(host.port);
      const pool = createSessionPool();
      const settings = { port: proxy.port, keepalive: 0.1, connectTimeout: 2 };
      const session = pool.session(resolveLogin({ ...host.login, ...settings }));
      const path = join(host.root, "file");
      const contents = new Set(existsSync(path) ? [readFileSync(path, "utf8")] : []);
      const work: Promise<unknown>[] = [];
      const add = (one: Promise<unknown>): void => {
        work.push(
          one.then(
            () => undefined,
            (error: unknown) => error,
          ),
        );
      };
      const expectText = async (answer: Promise<{ stdout: Buffer }>, text: string): Promise<void> =>
        expect((await answer).stdout.toString()).toBe(text);
      for (const [i, what] of steps.entries()) {
        if (what === "ask") add(expectText(session.ask(raw(`echo fact ${i}; echo e >&2`)), `fact ${i}\n`));
        if (what === "run")
          add(expectText(session.run({ script: "cat", stdin: Buffer.from(`run ${i}`) }), `run ${i}`));
        if (what === "put small" || what === "put large") {
          const content = `${i} `.repeat(what === "put small" ? 100 : 100_000);
          contents.add(content);
          add(session.put({ path, content: Buffer.from(content), follow: true }));
        }
        if (what === "kill shell") add(session.ask(raw(`kill -9 $$ # ${i}`)));
        if (what === "reset") add(session.reset!());
        if (what === "cut") proxy.cut();
        if (what === "freeze") {
          proxy.freeze();
          setTimeout(proxy.thaw, 700);
        }
        if (what === "wait") await new Promise((later) => setTimeout(later, 40));
      }
      const outcomes = await Promise.race([
        Promise.all(work),
        new Promise<"hangs">((resolve) => setTimeout(() => resolve("hangs"), 10_000)),
      ]);
      expect(outcomes).not.toBe("hangs");
      for (const error of outcomes as unknown[])
        if (error !== undefined) expect(error).toBeInstanceOf(HostError);
      await session.reset!();
      proxy.thaw();
      expect((await session.ask(raw("echo still here"))).stdout.toString()).toBe("still here\n");
      await pool.close();
      await proxy.close();
      // Each write is whole or not there, and an interrupted one takes its temporary file away.
      if (existsSync(path)) expect(contents).toContain(readFileSync(path, "utf8"));
      await expect
        .poll(() => readdirSync(host.root).filter((name) => name.startsWith(".conn3x-")))
        .toEqual([]);
    }),
    { numRuns: Number(process.env.CHAOS_RUNS ?? 6) },
  );
  await host.close();
}, 120_000);
