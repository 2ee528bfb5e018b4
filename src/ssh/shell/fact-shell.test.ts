import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { DemoHost } from "../../demo/host/demo-host.ts";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { lines, raw, script } from "../../script/script.ts";
import { saySlow } from "../../script/slowly.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import type { Answer, Session, SessionPool } from "../session.ts";
import { createSessionPool } from "../session-pool.ts";

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

  it("cannot hold a NUL character, and those beside it are answered", async () => {
    const [bad, good, run] = await Promise.allSettled([
      ask("echo a\0b"),
      ask("echo good"),
      session.run({ script: "echo a\0b" }),
    ]);
    expect([bad.status, good.status, run.status]).toEqual(["rejected", "fulfilled", "rejected"]);
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
  it("may take longer than a command of the user", async () => {
    const own = createSessionPool();
    const asked = own.session(resolveLogin({ ...host.login, commandTimeout: 1 }));
    expect(await asked.ask(script`sleep 1.5; echo done`)).toMatchObject({ status: 0 });
    await own.close();
  });

  it("is the last one: a host that did not answer in time is not read any more, until it is reset", async () => {
    const own = createSessionPool({ reading: 1 });
    const asked = own.session(resolveLogin(host.login));
    const [first, second, third] = await Promise.allSettled([
      asked.ask(script`echo first`),
      asked.ask(script`sleep 2`),
      asked.ask(script`echo third`),
    ]);
    expect(first).toMatchObject({ status: "fulfilled" });
    for (const one of [second, third])
      expect(one).toMatchObject({ status: "rejected", reason: { code: "unreachable", hostDown: true } });
    const began = performance.now();
    await expect(asked.ask(script`echo more`)).rejects.toThrow(/did not answer in time/);
    await expect(asked.run({ script: "true", reads: true })).rejects.toThrow(/did not answer in time/);
    expect(performance.now() - began).toBeLessThan(100);
    expect((await asked.act(script`echo done`)).stdout.toString()).toBe("done\n");
    await asked.reset();
    expect((await asked.ask(script`echo again`)).stdout.toString()).toBe("again\n");
    await own.close();
  });

  it("shares its time with all that are asked, whoever asks; a change begins another phase", async () => {
    const own = createSessionPool({ reading: 2 });
    const asked = own.session(resolveLogin(host.login));
    await asked.ask(script`sleep 1.2`);
    await asked.act(script`true`);
    await asked.ask(script`sleep 1.2`);
    await expect(asked.run({ script: "sleep 1.2", reads: true })).rejects.toMatchObject({
      code: "unreachable",
    });
    await own.close();
  });

  it("fails at its time limit where it changes something; those behind it are answered by a new shell", async () => {
    const real = setTimeout;
    const shortened = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((work: () => void, delay?: number) =>
        real(work, delay === 120_000 ? 1000 : delay)) as typeof setTimeout);
    const own = createSessionPool();
    const asked = own.session(resolveLogin(host.login));
    const ran = join(host.root, "ran");
    const [first, second, third] = await Promise.allSettled([
      asked.ask(script`echo first`),
      asked.act(script`sleep 2`),
      asked.ask(script`echo third >>${ran}; echo third`),
    ]);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "timeout", started: true } });
    expect(third).toMatchObject({ status: "fulfilled" });
    // The old shell wakes up and must not go on with what a new one has done.
    await new Promise((later) => setTimeout(later, 1400));
    shortened.mockRestore();
    expect(await readFile(ran, "utf8")).toBe("third\n");
    await own.close();
  });
});

describe("a question's limit", () => {
  const limited = async <T>(work: (asked: Session) => Promise<T>): Promise<T> => {
    const real = setTimeout;
    const shortened = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((done: () => void, delay?: number) =>
        real(done, delay === 30_000 ? 400 : delay)) as typeof setTimeout);
    const own = createSessionPool();
    try {
      return await work(own.session(resolveLogin(host.login)));
    } finally {
      shortened.mockRestore();
      await own.close();
    }
  };

  it.each([
    ["says nothing", "sleep 5"],
    ["drips", "i=0; while [ $i -lt 50 ]; do printf x; sleep 0.1; i=$((i + 1)); done"],
  ])("ends one that %s, and the host is not read any more", async (_, text) => {
    await limited(async (asked) => {
      const [first, second] = await Promise.allSettled([
        asked.ask(raw(text)),
        asked.ask(script`echo second`),
      ]);
      for (const one of [first, second]) {
        const reason = { code: "unreachable", hostDown: true };
        expect(one).toMatchObject({ status: "rejected", reason });
      }
      expect((first as PromiseRejectedResult).reason.message).toContain("took longer than 30 s");
    });
  });

  it("does not end one that says that it is slow, whose answer is whole", async () => {
    const answer = await limited((asked) =>
      asked.ask(
        lines([raw("printf 'a\\0b'"), saySlow, raw("sleep 1; printf c; echo e >&2; sleep 0.2"), saySlow]),
      ),
    );
    expect(text(answer)).toEqual([0, "a\0bc", "e\n"]);
  });

  it("does not end one that is being answered at the speed of a slow network", async () => {
    const answer = await limited((asked) =>
      asked.ask(raw("for i in 1 2 3 4 5 6; do head -c 500000 /dev/zero; sleep 0.2; done")),
    );
    expect([answer.status, answer.stdout.length]).toEqual([0, 3_000_000]);
  });
});
