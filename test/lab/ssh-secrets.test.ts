/**
 * @module Secrets are planted, everything is done with them, and then they are looked for where they must not be.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { raw } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];

/** What is planted; none of it is part of another, and none can be there by chance, or from a test at the same time. */
const secrets = {
  password: "zq-login-7f3a19",
  passphrase: "zq-phrase-51c0de",
  becomePassword: "zq-become-8e2b77",
  rootPassword: "zq-root-c4d5e6",
  content: "zq-content-0a9b8c",
  large: "zq-large-1f2e3d",
  script: "zq-script-6a5b4c",
  stdin: "zq-stdin-9d8e7f",
  fact: "zq-fact-2b3c4d",
} as const;
const pattern = "zq-[a-z]*-[0-9a-f]\\{6\\}";

/** Every argument of every process of this machine, as often as it can be looked at. */
function watchArguments(): () => string[] {
  const seen = new Set<string>();
  const look = (): void => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "latin1");
        if (/zq-[a-z]+-[0-9a-f]{6}/.test(line)) seen.add(line);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    return [...seen];
  };
}

const directory = mkdtempSync(join(tmpdir(), "test-secrets-"));
afterAll(() => rmSync(directory, { recursive: true }));

describeLab("secrets", () => {
  test("are in no argument, log, temporary file or message, whichever way they travel", async () => {
    const key = join(directory, "key");
    rmSync(key, { force: true });
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", secrets.passphrase, "-f", key]);
    await host().must("cat >>/home/plain/.ssh/authorized_keys", readFileSync(`${key}.pub`, "utf8"));
    // The account that logs in has one password, which sudo asks for, too.
    await host().must(
      `chpasswd; echo 'plain ALL=(ALL) ALL' >/etc/sudoers.d/zz-test
       printf 'Defaults log_input,log_output,logfile=/var/log/sudo.log\\n' >/etc/sudoers.d/zz-log
       echo 'permit plain' >/etc/doas.conf; chmod 400 /etc/doas.conf
       printf 'PasswordAuthentication yes\\nLogLevel DEBUG3\\n' >/etc/ssh/sshd_config.d/zz-test.conf
       systemctl reset-failed ssh; systemctl restart ssh`,
      `plain:${secrets.becomePassword}\nroot:${secrets.rootPassword}\n`,
    );
    await host().must(
      `cat >/root/watch; (setsid sh /root/watch >/root/watched 2>&1 &)`,
      `while [ ! -e /root/stop ]; do cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'zq-[a-z]*-[0-9a-f]*'; done`,
    );
    const stop = watchArguments();
    const base: Partial<Login> = {
      host: "web1",
      user: "plain",
      knownHostsFile: lab.lab.knownHostsFile,
      agent: false,
      sshConfigFile: "none",
      become: true,
    };
    const byKey: Partial<Login> = { privateKeyFile: key, passphrase: secrets.passphrase };
    const root: Partial<Login> = { becomePassword: secrets.becomePassword };
    const logins: Partial<Login>[] = [
      { ...byKey, ...root },
      { ...byKey, ...root, becomeMethod: "doas" },
      { ...byKey, becomeMethod: "su", becomePassword: secrets.rootPassword },
      { ...byKey, ...root, transport: "openssh" },
      { password: secrets.becomePassword, ...root, transport: "openssh" },
      { password: secrets.becomePassword, ...root, commandTimeout: 30 },
      // Refused, each at its own gate.
      { ...byKey, becomePassword: secrets.password },
      { ...byKey, becomePassword: secrets.password, becomeMethod: "su" },
      { ...byKey, becomePassword: secrets.password, becomeMethod: "doas" },
      { password: secrets.password, connectTimeout: 20 },
      { password: secrets.password, connectTimeout: 20, transport: "openssh" },
      { privateKeyFile: key, passphrase: secrets.password },
    ];
    const messages: string[] = [];
    let succeeded = 0;
    for (const login of logins) {
      const pool = createSessionPool();
      try {
        const session = pool.session(resolveLogin({ ...base, ...login, address: host().address }));
        const fact = await session.ask(raw(`: ${secrets.fact}; id -un`));
        expect(fact.stdout.toString()).toBe("root\n");
        await session.run({ script: `: ${secrets.script}; cat`, stdin: Buffer.from(secrets.stdin) });
        const failed = await session.run({ script: `sleep 0.1; : ${secrets.script}; exit 3`, timeout: 9 });
        messages.push(failed.stderr.toString());
        const put = (content: Buffer, path: string) =>
          session.put({ path, content, mode: 0o600, follow: true });
        await put(Buffer.from(secrets.content), "/root/small");
        await put(Buffer.from(secrets.large.repeat(20_000)), "/root/large");
        await put(Buffer.from(secrets.large), "/proc/nowhere").catch((error: HostError) => {
          messages.push(error.message, error.advice);
        });
        succeeded++;
      } catch (error) {
        const { message, advice, stack } = error as HostError;
        messages.push(message, advice, String(stack), JSON.stringify(error));
      } finally {
        await pool.close();
      }
    }
    await host().must("touch /root/stop; sleep 0.5; journalctl --sync; true");

    expect(succeeded).toBe(6);
    expect(messages.filter((text) => /zq-/.test(text))).toEqual([]);
    expect(
      messages.filter((text) => /did not accept|refused the login|passphrase/.test(text)).length,
    ).toBeGreaterThan(5);
    expect(stop()).toEqual([]);
    expect(await host().must("cat /root/watched")).toBe("");
    expect(await host().must(`journalctl -q -o cat --no-pager | grep -a '${pattern}'; true`)).toBe("");
    await host().must("rm -f /root/small /root/large");
    // sudo's own recording of input is what its administrator asked for; nothing else may hold any of it.
    const left = `grep -arl '${pattern}' /tmp /var/tmp /run /home /root /var/log /etc /dev/shm /srv --exclude-dir=sudo-io 2>/dev/null; true`;
    expect(await host().must(left)).toBe("");
    expect(
      readdirSync(tmpdir())
        .filter((name) => name.startsWith("conn3x-"))
        .filter((name) => holdsSecret(join(tmpdir(), name))),
    ).toEqual([]);
  });
});

function holdsSecret(path: string): boolean {
  try {
    execFileSync("grep", ["-arq", pattern, path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("what is looked for would be found", () => {
  writeFileSync(join(directory, "found"), secrets.content);
  expect(holdsSecret(directory)).toBe(true);
});
