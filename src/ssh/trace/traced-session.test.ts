import { describe, expect, test } from "vitest";
import { raw } from "../../script/script.ts";
import { HostError } from "../host-error.ts";
import type { HostSession } from "../host-session.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { Answer } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";
import type { Transport } from "../transport/transport.ts";
import { createConcealer } from "./concealer.ts";
import type { HostEvent } from "./host-event.ts";
import { notWritten } from "./not-written.ts";
import { tracedSession } from "./traced-session.ts";

const login = resolveLogin({ address: "192.0.2.1", host: "web1" });
const answer = (stdout: string | Buffer, stderr = ""): Answer => ({
  status: 0,
  stdout: Buffer.from(stdout as string),
  stderr: Buffer.from(stderr),
});

function traced(
  reply: Answer | Error,
  { hides = false, conceal = (text: string, _isCut?: boolean) => text } = {},
) {
  const events: HostEvent[] = [];
  const work = async (): Promise<never> => {
    if (reply instanceof Error) throw reply;
    return reply as never;
  };
  const session: HostSession = {
    login,
    counters: { flushes: 0, requests: 0, channels: 0 },
    ask: work,
    act: work,
    run: work,
    put: work,
    leftRunning: work,
    rest: async () => false,
    reset: async () => undefined,
    close: async () => undefined,
  };
  const tracing = { report: (event: HostEvent) => events.push(event), conceal, hidesCommands: () => hides };
  return { session: tracedSession(session, tracing), events };
}

describe("a request", () => {
  test("is told when it is asked and when it is answered", async () => {
    const { session, events } = traced(answer("out", "err"));
    expect(await session.ask(raw("stat /srv"), { purpose: "look" })).toEqual(answer("out", "err"));
    await session.run({ script: "id", ours: true });
    await session.act(raw("mkdir /srv"), { purpose: "make" });
    expect(events).toMatchObject([
      { host: "web1", kind: "asked", id: 1, request: "facts", purpose: "look", text: "stat /srv" },
      { host: "web1", kind: "answered", id: 1, request: "facts", status: 0, stdout: "out", stderr: "err" },
      { kind: "asked", id: 2, request: "script", text: "id" },
      { kind: "answered", id: 2, milliseconds: expect.any(Number) },
      { kind: "asked", id: 3, request: "facts", purpose: "make", text: "mkdir /srv" },
      { kind: "answered", id: 3, status: 0 },
    ]);
  });

  test("that fails says why", async () => {
    const { session, events } = traced(new HostError("lost", "web1", "it was lost", "Try again."));
    await expect(session.run({ script: "id" })).rejects.toThrow("it was lost");
    expect(events[1]).toMatchObject({ kind: "answered", id: 1, error: "it was lost\nTry again." });
    expect(events[1]).not.toHaveProperty("status");
  });

  test("never has its input or a file's content", async () => {
    const { session, events } = traced(answer(""));
    await session.run({ script: "cat", stdin: Buffer.from("planted"), timeout: 5 });
    await session.put({ path: "/srv/a", content: Buffer.from("planted"), mode: 0o600, follow: true });
    expect(JSON.stringify(events)).not.toContain("planted");
    expect(events[0]).toMatchObject({ text: "# with 7 bytes on standard input\n# within 5 s\ncat" });
    expect(events[2]).toMatchObject({ request: "file", text: "write /srv/a: 7 bytes, mode 0600" });
  });

  test("has of its text and its answer what is for a log", async () => {
    const { session, events } = traced(answer("planted and more"));
    await session.run({
      script: "echo planted",
      written: { text: "echo (secret)", output: (text) => text.replace("planted", "(secret)") },
    });
    await session.ask(raw("cat /srv/planted"), notWritten);
    expect(JSON.stringify(events)).not.toContain("planted");
    expect(events[1]).toMatchObject({ stdout: "(secret) and more" });
  });

  test("of the user's is left out where nobody knows what is secret in it", async () => {
    const { session, events } = traced(answer("planted"), { hides: true });
    await session.run({ script: "echo planted", written: { purpose: "run the command" } });
    await session.put({ path: "/a", content: Buffer.from(""), follow: true, validate: "grep planted %s" });
    expect(JSON.stringify(events)).not.toContain("planted");
    expect(events[0]).toMatchObject({ purpose: "run the command", text: notWritten.text });
    await session.run({ script: "ours", ours: true });
    expect(events[4]).toMatchObject({ text: "ours" });
  });

  test("does not tell what a validation said of secret content", async () => {
    const failure = new HostError("invalid", "web1", "did not pass grep planted", "It said:\nplanted");
    const put = { path: "/a", content: Buffer.from(""), follow: true, validate: "grep planted %s" };
    const quiet = traced(failure);
    await expect(quiet.session.put({ ...put, written: notWritten })).rejects.toThrow();
    expect(JSON.stringify(quiet.events)).not.toContain("planted");
    const open = traced(failure);
    await expect(open.session.put(put)).rejects.toThrow();
    expect(open.events[1]).toMatchObject({ error: "did not pass grep planted\nIt said:\nplanted" });
  });

  test("with a long answer has its beginning, cut where no secret can be half in it", async () => {
    const conceal = (text: string): string => text.replaceAll("planted", "(secret)");
    for (const before of [16 * 1024 - 3, 64 * 1024 - 3]) {
      const { session, events } = traced(answer(`${"x".repeat(before)}planted${"y".repeat(100_000)}`), {
        conceal,
      });
      await session.ask(raw("cat"));
      const { stdout = "" } = events[1] as { stdout?: string };
      expect(stdout.length).toBeLessThan(17_000);
      expect(stdout).not.toContain("pla");
      expect(stdout).toMatch(new RegExp(`… \\(${before + 7 + 100_000} bytes in all\\)$`));
    }
  });
});

test.each([70_000, 40_000])("a cut through a secret of %i characters shows none of it", async (size) => {
  const secret = Array.from({ length: size / 10 }, (_, i) => `${i}`.padStart(10, "s")).join("");
  const { add, conceal } = createConcealer();
  add(secret);
  const { session, events } = traced(answer(`before 🔑${secret} after ${"y".repeat(100_000)}`), { conceal });
  await session.ask(raw("cat"));
  const { stdout = "" } = events.find(({ kind }) => kind === "answered") as { stdout?: string };
  expect(stdout).toMatch(/^before 🔑\(secret\)/);
  expect(stdout).not.toMatch(/s\d/);
});

describe("a pool", () => {
  const refusing: Transport = {
    connect: async ({ password, host }) => {
      throw new HostError("login_refused", host, `no login with ${password}`);
    },
  };
  const secret = resolveLogin({ address: "192.0.2.1", host: "web1", password: "planted-password" });

  test("without anybody who follows gathers nothing", () => {
    expect(createSessionPool({ transport: refusing }).conceal).toBeUndefined();
  });

  test("keeps what logs in, what it is told of, and hashes out of everything", async () => {
    const events: HostEvent[] = [];
    const tracing = { report: (event: HostEvent) => events.push(event), nameOf: () => "first" };
    const pool = createSessionPool({ transport: refusing, tracing });
    pool.conceal?.("planted-value");
    const session = pool.session(secret);
    await expect(session.ask(raw(`: planted-value ${"0a".repeat(32)}`))).rejects.toThrow("planted-password");
    await pool.close();
    expect(new Set(events.map(({ host }) => host))).toEqual(new Set(["first"]));
    expect(events).toMatchObject([
      { kind: "asked", text: ": (secret) (hash)" },
      { kind: "connecting", address: "192.0.2.1", port: 22 },
      { kind: "not_connected", error: "no login with (secret)" },
      { kind: "answered", error: "no login with (secret)" },
    ]);
  });

  test("leaves commands out once something is too short to be masked", async () => {
    const events: HostEvent[] = [];
    const pool = createSessionPool({
      transport: refusing,
      tracing: { report: (event) => events.push(event) },
    });
    pool.conceal?.("abc");
    await expect(pool.session(secret).run({ script: "echo abc" })).rejects.toThrow();
    expect(JSON.stringify(events)).not.toContain("abc");
  });
});
