import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DemoHost } from "../demo/host/demo-host.ts";
import { startDemoHost } from "../demo/host/demo-host.ts";
import { raw, script } from "../script/script.ts";
import type { HostError } from "./host-error.ts";
import { resolveLogin } from "./resolve-login.ts";
import type { Answer, Session, SessionPool } from "./session.ts";
import { createSessionPool } from "./session-pool.ts";
import type { FaultProxy } from "./testing/fault-proxy.ts";
import { startFaultProxy } from "./testing/fault-proxy.ts";

let host: DemoHost;
let pool: SessionPool;
let session: Session;
beforeAll(async () => {
  host = await startDemoHost({ environment: { LC_ALL: "de_DE.UTF-8", LANGUAGE: "de" } });
  pool = createSessionPool();
  session = pool.session(resolveLogin(host.login));
});
afterAll(async () => {
  await pool.close();
  await host.close();
});

/** Status and streams as text, byte per character. */
const text = ({ status, stdout, stderr }: Answer): [number, string, string] => [
  status,
  stdout.toString("latin1"),
  stderr.toString("latin1"),
];
const ask = async (source: string): Promise<[number, string, string]> => text(await session.ask(raw(source)));

describe("one question", () => {
  it("is answered with status and both streams, byte by byte", async () => {
    expect(await ask("printf 'a\\0\\n\\n'; printf '\\377e' >&2; exit 7")).toEqual([7, "a\0\n\n", "\xffe"]);
    expect(await ask("")).toEqual([0, "", ""]);
    expect(await ask("# only a comment")).toEqual([0, "", ""]);
    expect(await ask("-no-such-command 2>/dev/null")).toEqual([127, "", ""]);
  });

  it("keeps whatever a script does inside it", async () => {
    const answers = await Promise.all(
      [
        "x=1; cd /tmp; exit 3",
        'echo "[$x]"; pwd',
        "if then fi",
        'cat; read line; echo "[$line]"',
        "exec 2>&-; echo gone",
        "trap 'echo trap' EXIT; set -e; false; echo no",
        "exec echo replaced",
        "kill -9 $(sh -c 'echo $PPID')",
        "echo 'quotes '\\'' \" \\\\ $'; cat <<EOF\nhere $((1+1))\nEOF",
      ].map(ask),
    );
    expect(answers.map(([status, out]) => [status, out])).toEqual([
      [3, ""],
      [0, "[]\n/\n"],
      [2, ""],
      [0, "[]\n"],
      [0, "gone\n"],
      [1, "trap\n"],
      [0, "replaced\n"],
      [137, ""],
      [0, "quotes ' \" \\ $\nhere 2\n"],
    ]);
  });

  it("is asked in English, with the directories of system tools at the end of PATH, and a known umask", async () => {
    const [, out] = await ask('echo "$LC_ALL|${LANGUAGE-unset}|$PATH|$(umask)"; sh -c \'echo "$LC_ALL"\'');
    expect(out).toBe(
      `C|unset|${host.root}/bin:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin|0022\nC\n`,
    );
  });

  it("may have a large answer", async () => {
    const [status, out, err] = await ask(
      "i=0; while [ $i -lt 300 ]; do printf '%10000d' $i; i=$((i+1)); done; printf '%100000d' 1 >&2",
    );
    expect([status, out.length, err.length]).toEqual([0, 3_000_000, 100_000]);
  });

  it("brings any bytes back as they were", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 255 }), async (bytes, status) => {
        const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
        const expected = Buffer.from(bytes).toString("latin1");
        expect(await ask(`printf '${octal}'; printf '${octal}' >&2; exit ${status}`)).toEqual([
          status,
          expected,
          expected,
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("many questions", () => {
  it("of one tick travel together, equal ones once", async () => {
    const own = createSessionPool();
    const asked = own.session(resolveLogin(host.login));
    const file = join(host.root, "asked");
    const answers = await Promise.all([
      asked.ask(script`echo same >>${file}; echo same`),
      asked.ask(script`echo other`),
      asked.ask(script`echo same >>${file}; echo same`),
      Promise.resolve().then(() => asked.ask(script`echo later in the tick`)),
    ]);
    expect(answers.map((answer) => answer.stdout.toString())).toEqual([
      "same\n",
      "other\n",
      "same\n",
      "later in the tick\n",
    ]);
    expect(await readFile(file, "utf8")).toBe("same\n");
    expect(asked.counters).toEqual({ flushes: 1, requests: 3, channels: 1 });
    await asked.ask(script`echo same >>${file}; echo same`);
    expect(await readFile(file, "utf8")).toBe("same\nsame\n");
    expect(asked.counters).toEqual({ flushes: 2, requests: 4, channels: 1 });
    await own.close();
  });

  it("are answered each with its own answer", async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => ask(`echo ${i}; echo e${i} >&2; exit ${i % 200}`)),
    );
    expect(answers).toEqual(Array.from({ length: 300 }, (_, i) => [i % 200, `${i}\n`, `e${i}\n`]));
  });

  it("share one connection per login, whatever its label", async () => {
    const before = host.connections();
    const own = createSessionPool();
    const [a, b] = ["a", "b"].map((label) => own.session(resolveLogin({ ...host.login, host: label })));
    expect(a).toBe(b);
    expect(host.connections()).toBe(before);
    await Promise.all([a!.ask(script`true`), b!.ask(script`false`)]);
    expect(host.connections()).toBe(before + 1);
    await own.close();
    await expect.poll(() => host.connections()).toBe(before);
  });
});

describe("a question that does not end", () => {
  it("fails at its time limit; those behind it are answered by a new shell", async () => {
    const own = createSessionPool();
    const asked = own.session(resolveLogin({ ...host.login, commandTimeout: 1 }));
    const ran = join(host.root, "ran");
    const [first, second, third] = await Promise.allSettled([
      asked.ask(script`echo first`),
      asked.ask(script`sleep 4`),
      asked.ask(script`echo third >>${ran}; echo third`),
    ]);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "timeout", started: true } });
    expect(third).toMatchObject({ status: "fulfilled" });
    // The old shell wakes up and must not go on with what a new one has done.
    await new Promise((later) => setTimeout(later, 3700));
    expect(await readFile(ran, "utf8")).toBe("third\n");
    await own.close();
  });
});

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

describe("something else than a shell", () => {
  /** Asks one thing of a host whose login shell is this script. */
  async function withLoginShell(body: string): Promise<Answer | HostError> {
    const file = join(host.root, `login-${Math.random().toString(36).slice(2)}`);
    await writeFile(file, `#!/bin/sh\n${body}\n`);
    await chmod(file, 0o755);
    const odd = await startDemoHost({ loginShell: file });
    const own = createSessionPool();
    try {
      return await own
        .session(resolveLogin({ ...odd.login, connectTimeout: 1 }))
        .ask(script`echo in`)
        .catch((error: HostError) => error);
    } finally {
      await own.close();
      await odd.close();
    }
  }
  const IN = { status: 0, stdout: Buffer.from("in\n"), stderr: Buffer.alloc(0) };

  it("may write before: a line, half a line, binary, 20 KB, on both streams", async () => {
    for (const noise of [
      "echo Welcome; echo Willkommen >&2",
      "printf 'no newline'; printf 'none here' >&2",
      "printf '\\000\\377\\033[31m\\r'; printf '\\000' >&2",
      "head -c 20000 /dev/zero | tr '\\0' x; head -c 20000 /dev/zero >&2",
      'echo "$2"',
    ]) {
      expect(await withLoginShell(`${noise}\nexec /bin/sh "$@"`)).toEqual(IN);
    }
  });

  it("is told with what it printed when it ends", async () => {
    const error = await withLoginShell("echo 'This account is currently not available.'; exit 1");
    expect(error).toMatchObject({ code: "no_shell", started: false, hostDown: true });
    expect((error as HostError).message).toContain("This account is currently not available.");
  });

  it("is told when it only repeats the command, waits for input, or never ends", async () => {
    expect(await withLoginShell('echo "$2"; sleep 30')).toMatchObject({ code: "no_shell" });
    expect(await withLoginShell("cat >/dev/null")).toMatchObject({ code: "no_shell" });
  });
});

describe("become", () => {
  /** Asks one thing of a host with this `sudo`. */
  async function withSudo(body: string | undefined): Promise<Answer | HostError> {
    const sudoHost = await startDemoHost();
    if (body !== undefined) {
      await writeFile(join(sudoHost.root, "bin/sudo"), `#!/bin/sh\n${body}\n`);
      await chmod(join(sudoHost.root, "bin/sudo"), 0o755);
    }
    const own = createSessionPool();
    try {
      const login = resolveLogin({
        ...sudoHost.login,
        host: "web1",
        user: "deploy",
        become: true,
        becomeUser: "app",
        connectTimeout: 2,
      });
      const asked = own.session(login);
      const [answer, command] = await Promise.allSettled([
        asked.ask(script`echo in`),
        asked.run({ script: "echo in" }),
      ]);
      expect(command.status).toBe(answer.status);
      return answer.status === "fulfilled" ? answer.value : answer.reason;
    } finally {
      await own.close();
      await sudoHost.close();
    }
  }

  it("starts the shell by sudo, without a password, with the user's home", async () => {
    expect(await withSudo('[ "$*" = "-n -H -u app /bin/sh" ] || exit 9; exec /bin/sh')).toMatchObject({
      stdout: Buffer.from("in\n"),
    });
  });

  const REFUSALS = {
    "sudo: a password is required": "it asks for a password",
    "sudo: sorry, you must have a tty to run sudo": "requiretty",
    "deploy is not in the sudoers file.": "not in sudoers",
    "Sorry, user deploy is not allowed to execute '/bin/sh' as app on web1.":
      "sudoers allows other commands only",
    "sudo: unknown user app": "unknown user app",
  };
  for (const [said, told] of Object.entries(REFUSALS)) {
    it(`explains "${said}"`, async () => {
      const error = await withSudo(`echo "${said}" >&2; exit 1`);
      expect(error).toMatchObject({ code: "become_refused", host: "web1", started: false, hostDown: true });
      expect((error as HostError).message).toContain(told);
    });
  }

  it("tells a sudo that is not there, or does not end", async () => {
    const missing = await withSudo("exec /no/such/sudo");
    expect(missing).toMatchObject({ code: "become_refused", message: expect.stringContaining("no sudo") });
    expect(await withSudo("sleep 30")).toMatchObject({
      code: "become_refused",
      message: expect.stringContaining("within 2 s"),
    });
  });

  it("takes plain user names only, since the login shell reads them", async () => {
    const own = createSessionPool();
    const login = resolveLogin({ ...host.login, become: true, becomeUser: "x; touch /tmp/y" });
    await expect(own.session(login).ask(script`true`)).rejects.toMatchObject({ code: "login_settings" });
    await own.close();
  });
});
