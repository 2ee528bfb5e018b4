import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { DemoHost } from "../../demo/host/demo-host.ts";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { script } from "../../script/script.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { RunRequest, Session, SessionPool } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";
import { startBareHost } from "../testing/bare-host.ts";

let host: DemoHost;
let pool: SessionPool;
let session: Session;
beforeAll(async () => {
  host = await startDemoHost({ environment: { LC_ALL: "C.UTF-8", LANGUAGE: "de" } });
  pool = createSessionPool();
  session = pool.session(resolveLogin(host.login));
});
afterAll(async () => {
  await pool.close();
  await host.close();
});

const run = async (request: RunRequest): Promise<[number, string, string]> => {
  const { status, stdout, stderr } = await session.run(request);
  return [status, stdout.toString("latin1"), stderr.toString("latin1")];
};
const took = async (work: Promise<unknown>): Promise<number> => {
  const begin = performance.now();
  await work;
  return performance.now() - begin;
};

/** Everything that holds with a time limit must hold without one. */
describe.each([
  ["without a time limit", {}],
  ["with a time limit", { timeout: 15 }],
])("a command %s", (_name, limit) => {
  it("answers with status and both streams, byte by byte", async () => {
    expect(await run({ script: "printf 'a\\0b'; printf '\\377' >&2; exit 7", ...limit })).toEqual([
      7,
      "a\0b",
      "\xff",
    ]);
    expect(await run({ script: "# nothing", ...limit })).toEqual([0, "", ""]);
    expect(await run({ script: "-x 2>/dev/null", ...limit })).toEqual([127, "", ""]);
    expect((await run({ script: "if then", ...limit }))[0]).toBe(2);
  });

  it("reads its standard input, or end of file at once", async () => {
    const stdin = Buffer.from(Array.from({ length: 700_000 }, (_, i) => i % 251));
    const answer = await session.run({ script: "cat", stdin, ...limit });
    expect(answer.stdout.equals(stdin)).toBe(true);
    expect(await run({ script: "cat; read x || echo end", ...limit })).toEqual([0, "end\n", ""]);
    expect(await run({ script: "cat; read x || echo end", stdin: Buffer.alloc(0), ...limit })).toEqual([
      0,
      "end\n",
      "",
    ]);
  });

  it("may leave input unread, which nobody then takes for commands", async () => {
    const file = join(host.root, "injected");
    const stdin = Buffer.from(`head\n${`touch ${file}\n`.repeat(40_000)}`);
    expect(await run({ script: "read line; echo $line", stdin, ...limit })).toEqual([0, "head\n", ""]);
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  });

  it("has the host's own environment and home", async () => {
    const [, out] = await run({
      script: 'echo "$LC_ALL|$LANGUAGE|$PWD"; env | grep -c conn3x_; locale 2>/dev/null | grep LC_ALL',
      ...limit,
    });
    expect(out).toContain(`C.UTF-8|de|${host.root}\n0\n`);
  });

  it("is over when it ends, whatever it leaves in the background", async () => {
    const work = run({
      script: "echo before; (sleep 5; echo late) & (sleep 5; echo late >&2) & echo after",
      ...limit,
    });
    expect(await took(work)).toBeLessThan(2500);
    expect(await work).toEqual([0, "before\nafter\n", ""]);
  });

  it("ends by a signal with 128 and its number", async () => {
    expect((await run({ script: "echo out; kill -TERM $$", ...limit }))[0]).toBe(143);
    expect((await run({ script: "sh -c 'kill -SEGV $$'", ...limit }))[0]).toBe(139);
    const [status, out] = await run({ script: "echo out; trap 'kill 0' EXIT; true", ...limit });
    expect([status, out]).toEqual([143, "out\n"]);
  });

  it("takes SIGINT as any foreground command does", async () => {
    expect(await run({ script: "trap 'echo caught' INT; kill -INT $$; echo on", ...limit })).toEqual([
      0,
      "caught\non\n",
      "",
    ]);
  });

  it("does not show in the arguments of any process", async () => {
    const secret = `secret-${Math.random()}`;
    const running = run({ script: `: ${secret}; sleep 1`, stdin: Buffer.from(secret), ...limit });
    await new Promise((later) => setTimeout(later, 600));
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(secret);
    expect(await running).toEqual([0, "", ""]);
  });

  it("may be a long script", async () => {
    const long = `${": some comment or other\n".repeat(20_000)}echo end`;
    expect(await run({ script: long, ...limit })).toEqual([0, "end\n", ""]);
  });
});

describe("a time limit", () => {
  it("ends the command with its children, on the host", async () => {
    const file = join(host.root, "survived");
    const work = session.run({ script: `(sleep 2; touch ${file}) & sleep 2; touch ${file}`, timeout: 1 });
    await expect(work).rejects.toMatchObject({ code: "timeout", started: true, hostDown: false });
    await new Promise((later) => setTimeout(later, 1300));
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  });

  it("comes from the login where the request has none, and 0 means none", async () => {
    const limited = pool.session(resolveLogin({ ...host.login, commandTimeout: 1 }));
    await expect(limited.run({ script: "sleep 4" })).rejects.toMatchObject({ code: "timeout" });
    expect((await limited.run({ script: "sleep 1.1", timeout: 0 })).status).toBe(0);
  });

  it("may be longer than timers here can be", async () => {
    expect((await session.run({ script: "sleep 0.1; echo out", timeout: 3_000_000 })).stdout.toString()).toBe(
      "out\n",
    );
  });

  it("leaves nothing running when the command is faster", async () => {
    await run({ script: "true", timeout: 4321 });
    await expect
      .poll(() => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }))
      .not.toContain("sleep 4321");
  });

  it("needs no setsid where there is perl", async () => {
    // As macOS is.
    const bare = await startBareHost(["sleep", "perl", "cat"]);
    const own = createSessionPool();
    const asked = own.session(resolveLogin(bare.login));
    expect(
      (
        await asked.run({ script: "command -v setsid; cat", stdin: Buffer.from("in"), timeout: 9 })
      ).stdout.toString(),
    ).toContain("in");
    await expect(asked.run({ script: "sleep 4", timeout: 1 })).rejects.toMatchObject({ code: "timeout" });
    await own.close();
    await bare.close();
  });
});

describe("channels", () => {
  it("are queued where the host allows few", async () => {
    const small = await startDemoHost({ maxSessions: 3 });
    const own = createSessionPool();
    const asked = own.session(resolveLogin(small.login));
    await asked.ask(script`true`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => asked.run({ script: `sleep 0.1; echo ${i}` })),
    );
    expect(answers.map(({ stdout }) => stdout.toString())).toEqual(
      Array.from({ length: 8 }, (_, i) => `${i}\n`),
    );
    expect(small.connections()).toBe(1);
    await own.close();
    await small.close();
  });

  it("come from a second connection where the host allows one", async () => {
    const single = await startDemoHost({ maxSessions: 1 });
    const own = createSessionPool();
    const asked = own.session(resolveLogin(single.login));
    const [fact, ...runs] = await Promise.all([
      asked.ask(script`echo fact`),
      ...["a", "b", "c"].map((name) => asked.run({ script: `echo ${name}` })),
    ]);
    expect([fact, ...runs].map(({ stdout }) => stdout.toString())).toEqual(["fact\n", "a\n", "b\n", "c\n"]);
    expect((await asked.ask(script`echo again`)).stdout.toString()).toBe("again\n");
    await own.close();
    await expect.poll(() => single.connections()).toBe(0);
    await single.close();
  });

  it("are an error where the host allows none", async () => {
    const none = await startDemoHost({ maxSessions: 0 });
    const own = createSessionPool();
    const asked = own.session(resolveLogin(none.login));
    await expect(asked.ask(script`true`)).rejects.toMatchObject({ code: "no_shell", started: false });
    await expect(asked.run({ script: "true" })).rejects.toMatchObject({ code: "no_shell", started: false });
    await own.close();
    await none.close();
  });
});

describe("the content of a file of ours", () => {
  const large = Buffer.alloc(8_000_000);
  const shortened = async <T>(work: () => Promise<T>): Promise<T> => {
    const real = setTimeout;
    const spy = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((done: () => void, delay?: number) =>
        real(done, delay === 120_000 ? 500 : delay)) as typeof setTimeout);
    return work().finally(() => spy.mockRestore());
  };

  it.each([
    ["is not taken", "sleep 4", 9, "took none of the content for 120 s"],
    [
      "is taken, and not put in place",
      "cat >/dev/null; sleep 4",
      0.5,
      "did not put it in place within 0.5 s",
    ],
  ])("that %s is not waited for without end", async (_, text, afterInput, message) => {
    // Through pipes, which hold no more than is taken.
    const local = pool.session(resolveLogin({ address: "localhost", transport: "local" }));
    const work = shortened(() => local.run({ script: text, stdin: large, afterInput }));
    await expect(work).rejects.toMatchObject({ code: "timeout", started: true });
    await expect(work).rejects.toThrow(message);
  });

  it("is another thing than what a command of the user's reads", async () => {
    const answer = await shortened(() => run({ script: "sleep 1.5; wc -c", stdin: large }));
    expect(answer[1].trim()).toBe("8000000");
  });
});
