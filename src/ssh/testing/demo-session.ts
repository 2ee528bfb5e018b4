/**
 * @module A session with a throw-away host for the tests of a file.
 */
import { afterAll, beforeAll } from "vitest";
import { type DemoHost, startDemoHost } from "../../demo/host/demo-host.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { Session, SessionPool } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";

export interface DemoSession {
  readonly host: DemoHost;
  readonly session: Session;
}

/** To be called once in a file, outside of its tests. What it returns is for use in tests and hooks. */
export function demoSession(): DemoSession {
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
  return {
    get host() {
      return host;
    },
    get session() {
      return session;
    },
  };
}
