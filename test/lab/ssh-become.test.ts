/**
 * @module Becoming another user on real hosts: sudo, doas and su, with passwords, prompts and terminals of every sort.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { raw, script } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { Session, SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { whyNoLab } from "./available.ts";
import { describeLab, labHosts } from "./for-tests.ts";
import { exercise, text } from "./ssh-exercise.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];

const plainPassword = "open sesame 'now\"";
const rootPassword = "a root's word";

let pools: SessionPool[] = [];
function connect(more: Partial<Login> = {}): Session {
  const pool = createSessionPool();
  pools.push(pool);
  const { address, name } = host();
  const { keyFile, knownHostsFile } = lab.lab;
  return pool.session(
    resolveLogin({
      address,
      host: name,
      user: "plain",
      privateKeyFile: keyFile,
      knownHostsFile,
      agent: false,
      sshConfigFile: "none",
      become: true,
      becomePassword: plainPassword,
      ...more,
    }),
  );
}
const failure = (work: Promise<unknown>): Promise<HostError> =>
  work.then(
    () => expect.fail("this should have failed"),
    (error: HostError) => error,
  );

const sudoers = (...lines: string[]): Promise<string> =>
  host().must(
    "cat >/etc/sudoers.d/zz-test; chmod 440 /etc/sudoers.d/zz-test; visudo -cqf /etc/sudoers.d/zz-test; rm -rf /run/sudo/ts /var/lib/sudo/lectured",
    `${lines.join("\n")}\n`,
  );

beforeAll(async () => {
  if (whyNoLab() !== undefined) return;
  await host().must("chpasswd", `plain:${plainPassword}\nroot:${rootPassword}\n`);
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});

/** A fact, a command with input, a large file: what needs channels of its own asks for the password anew. */
async function works(session: Session, user = "root"): Promise<void> {
  expect(text(await session.ask(raw("id -un; echo err >&2; exit 4")))).toEqual([4, `${user}\n`, "err\n"]);
  const run = await session.run({
    script: "cat; id -un",
    stdin: Buffer.from("in\0\xff", "latin1"),
    timeout: 20,
  });
  expect([run.status, run.stdout.toString("latin1")]).toEqual([0, `in\0\xff${user}\n`]);
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7) % 256));
  await session.put({ path: "/tmp/put-there", content, follow: true });
  const back = await session.ask(raw("cat /tmp/put-there; stat -c %U /tmp/put-there >&2; rm /tmp/put-there"));
  expect(back.stdout.equals(content)).toBe(true);
  expect(back.stderr.toString()).toBe(`${user}\n`);
}

describeLab("sudo with a password", () => {
  afterAll(() => host().must("rm -f /etc/sudoers.d/zz-test"));

  test("asks for it once per channel, and all is as without", async () => {
    await sudoers("plain ALL=(ALL) ALL");
    await exercise(connect(), host());
  });

  test.each([
    ["nothing special", ""],
    ["a lecture", "Defaults lecture=always"],
    ["feedback for what is typed", "Defaults pwfeedback"],
    ["a prompt of its own", 'Defaults passprompt="[%h] 密码：", !passprompt_override'],
    ["a terminal wanted", "Defaults requiretty"],
    ["a terminal wanted, feedback and a lecture", "Defaults requiretty, pwfeedback, lecture=always"],
    ["terminals of its own", "Defaults use_pty"],
    ["one try", "Defaults passwd_tries=1"],
    ["tickets that last", "Defaults timestamp_timeout=60, !tty_tickets, timestamp_type=global"],
    ["no password needed after all", "Defaults !authenticate"],
  ])("%s", async (_name, line) => {
    await sudoers(line, "plain ALL=(ALL) ALL");
    await works(connect());
    await works(connect({ becomeUser: "deploy" }), "deploy");
  });

  test.each(["de_DE.UTF-8", "ja_JP.UTF-8", "C"])("in %s", async (locale) => {
    await sudoers("plain ALL=(ALL) ALL");
    await host().must("cat >/etc/environment", `LC_ALL=${locale}\nLANGUAGE=${locale.slice(0, 2)}\n`);
    await works(connect());
    await host().must(": >/etc/environment");
  });

  test.each(["", "Defaults passwd_tries=1", "Defaults requiretty"])(
    "a wrong one is one try and one error, with %j",
    async (line) => {
      await sudoers(line, "plain ALL=(ALL) ALL");
      await host().must("journalctl --rotate; journalctl --vacuum-time=1s; true");
      const error = await failure(connect({ becomePassword: "open barley" }).ask(script`true`));
      expect(error).toMatchObject({ code: "become_refused", started: false, hostDown: true });
      expect(error.message).toContain("did not accept the become_password of plain");
      expect(JSON.stringify(error) + error.message + error.advice).not.toContain("barley");
      const log = await host().must(
        "journalctl -q _COMM=sudo -o cat | grep -c 'authentication failure'; true",
      );
      expect(Number(log)).toBeLessThanOrEqual(1);
    },
  );

  test("that is waited for in vain is a host that does not answer, and no refusal", async () => {
    await host().must("mv /usr/bin/sudo /usr/bin/sudo.away");
    try {
      await host().must("printf '#!/bin/sh\\nexec sleep 30\\n' >/usr/bin/sudo; chmod 755 /usr/bin/sudo");
      const error = await failure(connect({ connectTimeout: 2 }).ask(script`true`));
      expect(error).toMatchObject({ code: "unreachable", hostDown: true, started: false });
      expect(error.message).toMatch(/^sudo on .* did not start \/bin\/sh within 2 s$/);
    } finally {
      await host().must("mv /usr/bin/sudo.away /usr/bin/sudo");
    }
  });

  test("of a user who may not is told so", async () => {
    await sudoers("# nothing");
    const unknown = await failure(connect().ask(script`true`));
    expect(unknown).toMatchObject({ code: "become_refused" });
    expect(unknown.message).toContain("not in sudoers");
    await sudoers("plain ALL=(ALL) /usr/bin/apt-get");
    const other = await failure(connect().ask(script`true`));
    expect(other.message).toContain("other commands only");
  });

  test("none given where one is asked for is told", async () => {
    await sudoers("plain ALL=(ALL) ALL");
    const { becomePassword: _none, ...login } = connect().login;
    const error = await failure(pools[0]!.session(login).ask(script`true`));
    expect(error.message).toContain("asks for a password");
    expect(error.advice).toContain("become_password");
  });
});

describeLab("sudo that wants a terminal", () => {
  beforeAll(() => sudoers("Defaults requiretty", "deploy ALL=(ALL) NOPASSWD: ALL"));
  afterAll(() => host().must("rm -f /etc/sudoers.d/zz-test"));
  const session = (): Session => {
    const { becomePassword: _none, ...login } = connect({ user: "deploy" }).login;
    return pools.at(-1)!.session(login);
  };

  test("gets one, which changes no byte", async () => {
    await works(session());
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const own = session();
    const facts = await own.ask(
      raw("printf 'a\\r\\n\\003\\004\\021\\023\\0b'; printf 'e\\r\\n\\n' >&2; exit 3"),
    );
    expect(text(facts)).toEqual([3, "a\r\n\x03\x04\x11\x13\0b", "e\r\n\n"]);
    const echoed = await own.run({ script: "cat", stdin: Buffer.concat(Array(500).fill(all)) });
    expect(echoed.stdout.equals(Buffer.concat(Array(500).fill(all)))).toBe(true);
  });

  test("says that the streams of a command are one", async () => {
    const answer = await session().run({ script: "echo out; echo err >&2; exit 5" });
    expect(answer).toMatchObject({ status: 5, merged: true });
    expect(answer.stdout.toString()).toBe("out\nerr\n");
    expect((await session().run({ script: "sleep 30 & echo done" })).stdout.toString()).toBe("done\n");
  });

  test("is first noticed by a command, too, and many at once", async () => {
    const own = session();
    const answers = await Promise.all([1, 2, 3].map((i) => own.run({ script: `echo ${i}` })));
    expect(answers.map(({ stdout }) => stdout.toString())).toEqual(["1\n", "2\n", "3\n"]);
    const facts = await Promise.all([1, 2, 3].map((i) => own.ask(script`echo ${i}; echo ${-i} >&2`)));
    expect(facts.map(text)).toEqual([1, 2, 3].map((i) => [0, `${i}\n`, `-${i}\n`]));
    await expect(own.run({ script: "sleep 20", timeout: 1 })).rejects.toMatchObject({ code: "timeout" });
  });

  test("files that cannot be written are told as ever", async () => {
    const error = await failure(
      session().put({ path: "/proc/nothing", content: Buffer.alloc(100_000), follow: true }),
    );
    expect(error).toMatchObject({ code: "write" });
    expect(error.message).toContain("/proc/nothing");
  });
});

describeLab("doas", () => {
  const doas = (line: string): Promise<string> =>
    host().must("cat >/etc/doas.conf; chmod 400 /etc/doas.conf", `${line}\n`);
  const more: Partial<Login> = { becomeMethod: "doas" };
  afterAll(() => doas("permit nopass deploy"));

  test("without a password", async () => {
    await doas("permit nopass plain");
    const { becomePassword: _none, ...login } = connect(more).login;
    await works(pools[0]!.session(login));
    await exercise(pools[0]!.session(login), host());
    await works(connect(more));
  });

  test("with a password, which it reads from a terminal", async () => {
    await doas("permit plain");
    await works(connect(more));
    await works(connect({ ...more, becomeUser: "deploy" }), "deploy");
  });

  test("refuses a wrong one, a missing one, and those it does not know", async () => {
    await doas("permit plain");
    const wrong = await failure(connect({ ...more, becomePassword: "open barley" }).ask(script`true`));
    expect(wrong).toMatchObject({ code: "become_refused" });
    expect(wrong.message).toContain(`doas on ${host().name} did not accept the become_password of plain`);
    expect(wrong.message + wrong.advice).not.toContain("barley");
    const { becomePassword: _none, ...login } = connect(more).login;
    const missing = await failure(pools.at(-1)!.session(login).ask(script`true`));
    expect(missing.message).toContain("asks for a password");
    await doas("permit deploy");
    expect(await failure(connect(more).ask(script`true`))).toMatchObject({ code: "become_refused" });
  });
});

describeLab("su", () => {
  const more: Partial<Login> = { becomeMethod: "su", becomePassword: rootPassword };

  test("with the password of root", async () => {
    await works(connect(more));
    await exercise(connect(more), host());
  });

  test("of another user, with his password, whatever his shell", async () => {
    await host().must("chpasswd; usermod -s /usr/bin/fish deploy", "deploy:words\n");
    await works(connect({ ...more, becomeUser: "deploy", becomePassword: "words" }), "deploy");
    await host().must("usermod -s /bin/bash deploy");
  });

  test("without one, as root, who needs none", async () => {
    const { becomePassword: _none, ...login } = connect({ ...more, user: "root", becomeUser: "plain" }).login;
    await works(pools[0]!.session(login), "plain");
    await works(connect({ ...more, user: "root", becomeUser: "plain" }), "plain");
  });

  test("refuses a wrong one and a missing one", async () => {
    const wrong = await failure(connect({ ...more, becomePassword: "open barley" }).ask(script`true`));
    expect(wrong).toMatchObject({ code: "become_refused", started: false });
    expect(wrong.message).toContain("did not accept the become_password");
    expect(wrong.message + wrong.advice).not.toContain("barley");
    const { becomePassword: _none, ...login } = connect(more).login;
    const missing = await failure(pools.at(-1)!.session(login).ask(script`true`));
    expect(missing.message).toBe(`su on ${host().name} asks plain for a password`);
  });

  test("in another language asks all the same", async () => {
    await host().must("cat >/etc/environment", "LC_ALL=de_DE.UTF-8\nLANGUAGE=de\n");
    await works(connect(more));
    await host().must(": >/etc/environment");
  });
});
