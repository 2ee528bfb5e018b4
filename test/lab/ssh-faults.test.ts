/**
 * @module What befalls connections to real hosts: frozen, cut off, killed, refused; and files that cannot be written.
 */
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { raw, script } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { Session, SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(2);
const host = () => lab.hosts[0];

let pools: SessionPool[] = [];
function connect(more: Partial<Login> = {}): Session {
  const pool = createSessionPool();
  pools.push(pool);
  const { address, name } = host();
  const { keyFile, knownHostsFile } = lab.lab;
  const settings = {
    address,
    host: name,
    user: "deploy",
    privateKeyFile: keyFile,
    knownHostsFile,
    agent: false,
  };
  return pool.session(resolveLogin({ ...settings, become: true, ...more }));
}
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});

const failure = (work: Promise<unknown>): Promise<HostError> =>
  work.then(
    () => expect.fail("this should have failed"),
    (error: HostError) => error,
  );
async function seconds(work: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work;
  return (performance.now() - begin) / 1000;
}
const pause = (milliseconds: number): Promise<void> =>
  new Promise((later) => setTimeout(later, milliseconds));

describeLab("a frozen sshd", () => {
  afterEach(() => host().thaw());

  test("before the login is given up at the connect timeout", async () => {
    await host().freeze();
    const work = failure(connect({ connectTimeout: 2 }).ask(script`true`));
    expect(await seconds(work)).toBeLessThan(4);
    expect(await work).toMatchObject({ code: "unreachable", hostDown: true, started: false });
  });

  test("after the login is noticed by keep-alive, for facts, commands and files", async () => {
    const session = connect({ keepalive: 1 });
    await session.ask(script`true`);
    const running = failure(session.run({ script: "sleep 20" }));
    await pause(500);
    await host().freeze();
    const asked = failure(session.ask(script`echo fact`));
    const writing = failure(session.put({ path: "/root/f", content: Buffer.alloc(300_000), follow: true }));
    const work = Promise.all([running, asked, writing]);
    expect(await seconds(work)).toBeLessThan(9);
    const errors = await work;
    expect(errors.map(({ code }) => code)).toEqual(["lost", "lost", "lost"]);
    expect(errors.map(({ started }) => started)).toEqual([true, true, false]);
    await host().thaw();
    expect((await session.ask(script`echo again`)).stdout.toString()).toBe("again\n");
  });

  test("leaves open whether a command with a time limit was stopped", async () => {
    const session = connect({ keepalive: 30 });
    await session.ask(script`true`);
    const running = failure(session.run({ script: "sleep 20", timeout: 1 }));
    await pause(500);
    await host().freeze();
    const error = await running;
    expect(error).toMatchObject({ code: "timeout", started: true });
    expect(error.message).toContain("nothing was heard of the command");
    expect(error.message).not.toContain("was stopped");
  });

  test("does not hold the end of a run up", async () => {
    const session = connect();
    await session.ask(script`true`);
    const asked = failure(session.ask(script`sleep 5`));
    await pause(200);
    await host().freeze();
    expect(await seconds(pools[0]!.close())).toBeLessThan(2);
    expect(await asked).toMatchObject({ code: "closed", started: true });
  });

  test("does not hold other hosts up", async () => {
    const other = lab.hosts[1];
    await host().freeze();
    const frozen = failure(connect({ connectTimeout: 3 }).ask(script`true`));
    const work = connect({ address: other.address, host: other.name }).ask(script`true`);
    expect(await seconds(work)).toBeLessThan(2);
    expect(await frozen).toMatchObject({ code: "unreachable" });
  });
});

describeLab("a host off the network", () => {
  afterEach(() => host().mend());

  test("is lost by keep-alive, and answers again when it is back", async () => {
    const session = connect({ keepalive: 1, connectTimeout: 3 });
    await session.ask(script`true`);
    await host().cut();
    const work = failure(session.ask(script`true`));
    expect(await seconds(work)).toBeLessThan(9);
    expect(await work).toMatchObject({ code: "lost" });
    expect(await failure(session.ask(script`true`))).toMatchObject({ code: "unreachable" });
    await host().mend();
    await session.reset!();
    expect((await session.ask(script`echo back`)).stdout.toString()).toBe("back\n");
  });
});

describeLab("a killed connection", () => {
  const killSessions = (): Promise<string> => host().must("pkill -9 -f '^sshd: deploy'; true");

  test("fails what was running, as started, and the next question connects anew", async () => {
    const session = connect();
    await session.ask(script`true`);
    const work = [failure(session.ask(script`sleep 3`)), failure(session.run({ script: "sleep 3" }))];
    await pause(500);
    await killSessions();
    for (const error of await Promise.all(work)) expect(error).toMatchObject({ code: "lost", started: true });
    expect((await session.ask(script`id -un`)).stdout.toString()).toBe("root\n");
  });

  test("in the middle of a large file leaves the old one, and nothing else", async () => {
    await host().must("mkdir -p /srv/cut; echo old >/srv/cut/f");
    const session = connect();
    await session.ask(script`true`);
    const work = failure(
      session.put({ path: "/srv/cut/f", content: Buffer.alloc(60_000_000, 1), follow: true }),
    );
    await expect
      .poll(() => host().must("ls -A /srv/cut | grep -c conn3x; true"), { timeout: 5000, interval: 20 })
      .toBe("1\n");
    await killSessions();
    expect(await work).toMatchObject({ code: "lost", started: true });
    await expect.poll(() => host().must("ls -A /srv/cut; cat /srv/cut/f")).toBe("f\nold\n");
  });
});

describeLab("a reboot", () => {
  test("is a lost connection; after a reset the session goes on", async () => {
    const session = connect();
    const before = (await session.ask(script`cat /proc/sys/kernel/random/boot_id`)).stdout.toString();
    await host().reboot();
    await session.reset!();
    expect((await session.ask(script`cat /proc/sys/kernel/random/boot_id`)).stdout.toString()).not.toBe(
      before,
    );
  });
});

describeLab("a host that allows little", () => {
  const sshd = (settings: string): Promise<string> =>
    host().must(
      "cat >/etc/ssh/sshd_config.d/zz-test.conf; systemctl reset-failed ssh; systemctl restart ssh",
      settings,
    );
  afterAll(() => sshd(""));

  test.each([1, 2, 3])("MaxSessions %i", async (limit) => {
    await sshd(`MaxSessions ${limit}\n`);
    const session = connect();
    const answers = await Promise.all([
      session.ask(script`echo fact`),
      ...[1, 2, 3, 4, 5].map((i) => session.run({ script: `sleep 0.2; echo ${i}` })),
    ]);
    expect(answers.map(({ stdout }) => stdout.toString())).toEqual([
      "fact\n",
      "1\n",
      "2\n",
      "3\n",
      "4\n",
      "5\n",
    ]);
    expect((await session.ask(script`echo again`)).stdout.toString()).toBe("again\n");
  });

  test("fifteen commands at once with what sshd allows by default", async () => {
    await sshd("");
    const session = connect();
    await session.ask(script`true`);
    const numbers = Array.from({ length: 15 }, (_, i) => i);
    const answers = await Promise.all(numbers.map((i) => session.run({ script: `sleep 0.5; echo ${i}` })));
    expect(answers.map(({ stdout }) => stdout.toString())).toEqual(numbers.map((i) => `${i}\n`));
  });

  test("MaxStartups drops connections that are then tried again", async () => {
    await sshd("MaxStartups 1:100:1\n");
    const names = await Promise.all([1, 2, 3, 4].map(() => connect().ask(script`id -un`)));
    expect(names.map(({ stdout }) => stdout.toString())).toEqual(Array(4).fill("root\n"));
  });

  test("other host keys: the known one is asked for, a changed one refused", async () => {
    const key = "/etc/ssh/ssh_host_ed25519_key";
    await host().must("rm -f /etc/ssh/other_key; ssh-keygen -q -t rsa -N '' -f /etc/ssh/other_key");
    await sshd(`HostKey /etc/ssh/other_key\nHostKey ${key}\n`);
    expect((await connect().ask(script`echo in`)).stdout.toString()).toBe("in\n");
    await host().must(`cp -p ${key} /root/kept; rm ${key}; ssh-keygen -q -t ed25519 -N '' -f ${key}`);
    await sshd("");
    try {
      const error = await failure(connect().ask(script`true`));
      expect(error).toMatchObject({ code: "host_key_changed", hostDown: true });
      const print = (await host().must(`ssh-keygen -lf ${key}`)).split(" ")[1]!;
      expect(error.message).toContain(print);
      expect(error.message).toContain(lab.lab.knownHostsFile);
    } finally {
      await host().must(`cp -p /root/kept ${key}; rm ${key}.pub`);
      await sshd("");
    }
  });

  test.each([
    [
      "a password only",
      "PubkeyAuthentication no\nPasswordAuthentication yes\nKbdInteractiveAuthentication no\n",
    ],
    [
      "answers to prompts only",
      "PubkeyAuthentication no\nPasswordAuthentication no\nKbdInteractiveAuthentication yes\n",
    ],
    [
      "a key and a password",
      "AuthenticationMethods publickey,keyboard-interactive\nKbdInteractiveAuthentication yes\n",
    ],
  ])("%s, after a banner", async (_name, settings) => {
    await host().must("echo 'deploy:open sesame' | chpasswd; echo 'Authorised users only' >/etc/issue.ssh");
    await sshd(`Banner /etc/issue.ssh\nUsePAM yes\n${settings}`);
    expect((await connect({ password: "open sesame" }).ask(script`echo in`)).stdout.toString()).toBe("in\n");
    const error = await failure(connect({ password: "open barley", connectTimeout: 20 }).ask(script`true`));
    expect(error).toMatchObject({ code: "login_refused" });
    expect(error.message + error.advice).not.toContain("barley");
  });

  test("a command that is forced", async () => {
    await sshd('Match User plain\n  ForceCommand echo "forced: $SSH_ORIGINAL_COMMAND"\n');
    const error = await failure(connect({ user: "plain", become: false }).ask(script`true`));
    expect(error).toMatchObject({ code: "no_shell", message: expect.stringContaining("forced") });
  });

  test("a login without the right key tells what was offered and what is accepted", async () => {
    await sshd("");
    await host().must("mkdir -p /root/x && rm -f /root/x/k && ssh-keygen -q -t ed25519 -N '' -f /root/x/k");
    const privateKey = await host().must("cat /root/x/k");
    const print = (await host().must("ssh-keygen -lf /root/x/k")).split(" ")[1]!;
    const { privateKeyFile: _named, ...login } = connect().login;
    const pool = createSessionPool();
    pools.push(pool);
    const error = await failure(pool.session({ ...login, privateKey }).ask(script`true`));
    expect(error).toMatchObject({ code: "login_refused", hostDown: true });
    expect(error.advice).toContain(print);
    expect(error.advice).toMatch(/accepts: .*publickey/);
  });
});

describeLab("a file that cannot be written", () => {
  const content = Buffer.from("new");
  const refusedAt = async (
    path: string,
    more: { content?: Buffer; login?: Partial<Login> } = {},
  ): Promise<HostError> => {
    const error = await failure(
      connect(more.login).put({ path, content: more.content ?? content, follow: true }),
    );
    expect(error).toMatchObject({ code: "write", hostDown: false });
    expect(error.message).toContain(path);
    return error;
  };

  test("on a read-only file system", async () => {
    await host().must(
      "mkdir -p /mnt/ro; mount -t tmpfs none /mnt/ro; echo old >/mnt/ro/f; mount -o remount,ro /mnt/ro",
    );
    expect((await refusedAt("/mnt/ro/f")).message).toContain("Read-only file system");
    expect(await host().must("cat /mnt/ro/f; ls -A /mnt/ro; umount /mnt/ro")).toBe("old\nf\n");
  });

  describe("on a full disk", () => {
    test.each([20_000, 200_000])("%i bytes", async (size) => {
      await host().must(
        "mkdir -p /mnt/full; mount -t tmpfs -o size=16k none /mnt/full; echo old >/mnt/full/f",
      );
      const error = await refusedAt("/mnt/full/f", { content: Buffer.alloc(size, "x") });
      expect(error.message).toContain("No space left on device");
      expect(await host().must("cat /mnt/full/f; ls -A /mnt/full; umount /mnt/full")).toBe("old\nf\n");
    });
  });

  test("that is a mount point of its own", async () => {
    await host().must(
      "echo inner >/srv/inner; echo outer >/srv/mounted; mount --bind /srv/inner /srv/mounted",
    );
    expect((await refusedAt("/srv/mounted")).message).toContain("mount point");
    await connect().put({
      path: "/srv/mounted",
      content: Buffer.from("over\n"),
      follow: true,
      inPlace: true,
    });
    expect(await host().must("cat /srv/inner; echo inner >/srv/inner")).toBe("over\n");
    expect(
      await host().must(
        "cat /srv/mounted; ls -A /srv | grep -c conn3x; umount /srv/mounted; cat /srv/mounted",
      ),
    ).toBe("inner\n0\nouter\n");
  });

  test("that is immutable", async () => {
    await host().must("mkdir -p /mnt/imm; mount -t tmpfs none /mnt/imm; echo old >/mnt/imm/f");
    if ((await host().exec("chattr +i /mnt/imm/f")).status !== 0) return;
    expect((await refusedAt("/mnt/imm/f")).message).toContain("Operation not permitted");
    expect(await host().must("cat /mnt/imm/f; ls -A /mnt/imm; chattr -i /mnt/imm/f; umount /mnt/imm")).toBe(
      "old\nf\n",
    );
  });

  test("by a user without the right", async () => {
    expect((await refusedAt("/etc/motd", { login: { become: false } })).message).toContain(
      "Permission denied",
    );
    expect(await host().must("ls -A /etc | grep -c conn3x; true")).toBe("0\n");
  });

  test("whose old owner cannot be kept", async () => {
    await host().must("mkdir -p /srv/open; chmod 777 /srv/open; echo root >/srv/open/f");
    expect((await refusedAt("/srv/open/f", { login: { become: false } })).message).toContain(
      "Operation not permitted",
    );
    expect(await host().must("cat /srv/open/f; ls -A /srv/open")).toBe("root\nf\n");
  });

  test("is never readable by others on its way", async () => {
    await host().must("mkdir -p /srv/watched; chmod 777 /srv/watched");
    const session = connect();
    const seen = session.run({
      script:
        "i=0; while [ $i -lt 400 ]; do stat -c %a /srv/watched/.conn3x-* 2>/dev/null; i=$((i+1)); done | sort -u",
    });
    for (let i = 0; i < 12; i++) {
      await session.put({
        path: "/srv/watched/secret",
        content: Buffer.alloc(20_000, i),
        mode: 0o640,
        owner: "deploy",
        follow: true,
      });
    }
    const modes = (await seen).stdout.toString().trim().split("\n");
    expect(modes).toContain("600");
    expect(modes.every((mode) => ["600", "640"].includes(mode))).toBe(true);
  });
});

describeLab("arguments of processes", () => {
  test("hold no request, content or script", async () => {
    const session = connect();
    const secret = `secret-${process.pid}`;
    const watch = host().exec("i=0; while [ $i -lt 60 ]; do ps -eo args; i=$((i+1)); done");
    await Promise.all([
      session.ask(raw(`sleep 0.2; : ${secret}`)),
      session.run({ script: `sleep 0.3; : ${secret}`, stdin: Buffer.from(secret), timeout: 9 }),
      session.put({ path: "/root/s", content: Buffer.from(secret.repeat(10_000)), follow: true }),
      session.put({ path: "/root/t", content: Buffer.from(secret), follow: true }),
    ]);
    const { stdout } = await watch;
    expect(stdout).toContain("ps -eo args");
    expect(stdout).not.toContain(secret);
  });
});
