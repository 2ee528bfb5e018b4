/**
 * @module Accounts that do not let everybody in at once: several factors, questions of PAM, expired ones.
 */
import { afterEach, beforeAll, expect, test } from "vitest";
import { raw } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login, TransportName } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { Session, SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { whyNoLab } from "./available.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];
const password = "Old words 47";
let pools: SessionPool[] = [];

type Changes = { [K in keyof Login]?: Login[K] | undefined };
function connect(user: string, changes: Changes): Session {
  const pool = createSessionPool();
  pools.push(pool);
  const { knownHostsFile } = lab.lab;
  const base = { host: host().name, user, knownHostsFile, agent: false, sshConfigFile: "none" };
  return pool.session(resolveLogin({ ...base, ...changes, address: host().address }));
}
const says = async (session: Session): Promise<string> =>
  (await session.ask(raw("id -un"))).stdout.toString().trim();
const failure = (work: Promise<unknown>): Promise<HostError> =>
  work.then(
    () => expect.fail("this should have failed"),
    (error: HostError) => error,
  );
const sshd = (settings: string): Promise<string> =>
  host().must(
    "cat >/etc/ssh/sshd_config.d/zz-test.conf; systemctl reset-failed ssh; systemctl restart ssh",
    `UsePAM yes\n${settings}`,
  );
const key = (): Changes => ({ privateKeyFile: lab.lab.keyFile });
const transports: readonly TransportName[] = ["ssh2", "openssh"];

beforeAll(async () => {
  if (whyNoLab() !== undefined) return;
  await host().must(
    `for u in both expired forced; do
       useradd -m -s /bin/bash $u
       echo "$u:${password}" | chpasswd
       install -d -m 700 -o $u /home/$u/.ssh
       cp /home/deploy/.ssh/authorized_keys /home/$u/.ssh/
       chown $u /home/$u/.ssh/authorized_keys
     done
     chage -E 1 expired
     chage -d 0 forced`,
  );
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});

describeLab("two factors", () => {
  test.each([
    "publickey,password",
    "password,publickey",
    "publickey,keyboard-interactive",
    "keyboard-interactive,publickey",
  ])("%s", async (methods) => {
    await sshd(
      `PasswordAuthentication yes\nKbdInteractiveAuthentication yes\nAuthenticationMethods ${methods}\n`,
    );
    for (const transport of transports)
      expect(await says(connect("both", { ...key(), password, transport }))).toBe("both");
    const half = await failure(says(connect("both", key())));
    expect(half).toMatchObject({ code: "login_refused" });
  });
});

describeLab("an account", () => {
  const refusals = async (): Promise<number> =>
    Number(await host().must("journalctl -q -t sshd | grep -c 'account expired has expired'; true"));

  test("that has expired says so, and is tried once", async () => {
    await sshd("");
    for (const transport of transports) {
      const before = await refusals();
      const error = await failure(says(connect("expired", { ...key(), transport, connectTimeout: 5 })));
      expect(error).toMatchObject({ code: "unreachable", hostDown: true });
      expect(error.message).toContain("closed the connection while logging in");
      expect(error.message + error.advice).toContain("Your account has expired");
      expect(await refusals()).toBe(before + 1);
    }
  });

  test("without a shell, and a host that takes no logins, say so in the host's words", async () => {
    await sshd("");
    await host().must("usermod -s /usr/sbin/nologin both");
    for (const transport of transports) {
      const error = await failure(says(connect("both", { ...key(), transport })));
      expect(error).toMatchObject({ code: "no_shell" });
      expect(error.message).toMatch(/^the account both on web1 has no shell; it said: .*not available/);
    }
    await host().must("usermod -s /bin/bash both");
    for (const pam of ["yes", "no"]) {
      await host().must(
        `echo 'maintenance until noon' >/etc/nologin
         echo UsePAM ${pam} >/etc/ssh/sshd_config.d/zz-test.conf
         systemctl reset-failed ssh; systemctl restart ssh`,
      );
      const error = await failure(says(connect("both", key())));
      expect(error.message).toContain("maintenance until noon");
      expect(error.message).not.toContain("something else than a shell");
    }
    await host().must("rm /etc/nologin");
    await sshd("");
  });

  test("whose password must be changed says so, and is given no new one", async () => {
    await sshd("");
    for (const transport of transports) {
      const error = await failure(says(connect("forced", { ...key(), transport })));
      expect(error).toMatchObject({ code: "login_refused" });
      expect(error.message).toMatch(
        /^the password of forced on web1 has expired; it said: .*Password change required/,
      );
    }
    await sshd("PasswordAuthentication no\nKbdInteractiveAuthentication yes\n");
    const before = await host().must("getent shadow forced");
    const asked = await failure(says(connect("forced", { password })));
    expect(asked.advice).toMatch(
      /an answer to "You are required to change your password.*Current password:"/,
    );
    expect(asked.advice).not.toContain(password);
    expect(await failure(says(connect("forced", { password, transport: "openssh" })))).toMatchObject({
      code: "login_refused",
    });
    expect(await host().must("getent shadow forced")).toBe(before);
    await sshd("");
  });
});
