import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DemoHost } from "../demo/host/demo-host.ts";
import { startDemoHost } from "../demo/host/demo-host.ts";
import { script } from "../script/script.ts";
import { resolveLogin } from "./resolve-login.ts";
import type { Session, SessionPool } from "./session.ts";
import { createSessionPool } from "./session-pool.ts";

describe("a session with a demo host", () => {
  let host: DemoHost;
  let pool: SessionPool;
  let session: Session;
  beforeAll(async () => {
    host = await startDemoHost();
    pool = createSessionPool();
    session = pool.session(resolveLogin(host.login));
  });
  afterAll(async () => {
    await pool.close();
    await host.close();
  });

  it("asks", async () => {
    const a = await session.ask(script`printf 'a\0b'; echo err >&2; exit 3`);
    expect(a).toEqual({ status: 3, stdout: Buffer.from("a\0b"), stderr: Buffer.from("err\n") });
  });
  it("runs", async () => {
    const a = await session.run({ script: "cat; echo; pwd; kill -9 $$", stdin: Buffer.from("hello\0x") });
    expect(a.stdout.toString()).toBe(`hello\0x\n${host.root}\n`);
    expect(a.status).toBe(137);
  });
  it("puts", async () => {
    const path = `${host.root}/it's "a"\n $x -file`;
    for (const content of ["-%\\'é\n", "", "x".repeat(200_000)]) {
      await session.put({ path, content: Buffer.from(content), follow: true });
      const a = await session.ask(script`cat ${path}`);
      expect(a.stdout.toString()).toBe(content);
    }
  });
  it("time limit", async () => {
    await expect(session.run({ script: "sleep 30", timeout: 1 })).rejects.toMatchObject({
      code: "timeout",
      started: true,
    });
    const b = await session.run({ script: "cat; echo done", timeout: 10, stdin: Buffer.from("in\n") });
    expect(b.stdout.toString()).toBe("in\ndone\n");
  });
});
