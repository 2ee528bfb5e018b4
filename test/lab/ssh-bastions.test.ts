/**
 * @module Reaching real hosts through others: bastion blocks, ProxyJump, proxy commands.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { script } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { whyNoLab } from "./available.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(2);
const bastion = () => lab.hosts[0];
const target = () => lab.hosts[1];

let directory: string;
let innerKey: string;
let pools: SessionPool[] = [];

type Changes = { [K in keyof Login]?: Login[K] | undefined };
function login(changes: Changes): Login {
  const { keyFile, knownHostsFile } = lab.lab;
  return resolveLogin({
    host: "target",
    user: "deploy",
    privateKeyFile: keyFile,
    knownHostsFile,
    agent: false,
    sshConfigFile: "none",
    ...changes,
    address: changes.address ?? target().address,
  });
}

/** What the host says of the connection: `CLIENT CLIENT-PORT SERVER SERVER-PORT`. */
async function seen(settings: Login): Promise<string[]> {
  const pool = createSessionPool();
  pools.push(pool);
  const { stdout } = await pool.session(settings).ask(script`echo $SSH_CONNECTION $(id -un)`);
  return stdout.toString().trim().split(" ");
}

const failure = (work: Promise<unknown>): Promise<HostError> =>
  work.then(
    () => expect.fail("this should have failed"),
    (error: HostError) => error,
  );

async function config(text: string): Promise<{ sshConfigFile: string }> {
  const sshConfigFile = join(directory, `config-${Math.random()}`);
  const head = `IdentityFile ${lab.lab.keyFile}\nUserKnownHostsFile ${join(directory, "known_hosts")}\n`;
  await writeFile(sshConfigFile, `${text}\nHost *\n${head}`);
  return { sshConfigFile };
}

/** As one who has nothing but the config file. */
const plain = { user: undefined, privateKeyFile: undefined, knownHostsFile: undefined };

beforeAll(async () => {
  if (whyNoLab() !== undefined) return;
  directory = await mkdtemp(join(tmpdir(), "conn3x-bastions-"));
  // A host that only the bastion can see, since it is on its loopback, with a key and account settings of its own.
  await bastion().must(
    `ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/inner_key
     cat >/etc/ssh/inner_config
     /usr/sbin/sshd -f /etc/ssh/inner_config`,
    "ListenAddress 127.0.0.1\nPort 2022\nHostKey /etc/ssh/inner_key\nPidFile /run/inner.pid\nUsePAM yes\n",
  );
  innerKey = (await bastion().must("cut -d' ' -f1,2 /etc/ssh/inner_key.pub")).trim();
  const known = await readFile(lab.lab.knownHostsFile, "utf8");
  await writeFile(join(directory, "known_hosts"), `${known}inner-alias ${innerKey}\n`);
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});
afterAll(async () => {
  if (directory) await rm(directory, { recursive: true });
});

/** sshd processes of the login `deploy` on the bastion. */
const sessionsOnBastion = async (): Promise<number> =>
  Number(await bastion().must("pgrep -c -f '^sshd: deploy$'; true"));

describeLab("a bastion", () => {
  test("is what the host sees, by block and by jump", async () => {
    const { address } = bastion();
    expect((await seen(login({ bastions: [{ address }] })))[0]).toBe(address);
    expect((await seen(login({ proxyJump: `plain@${address}:22` })))[0]).toBe(address);
    expect((await seen(login({ proxyJump: `ssh://${address}` })))[0]).toBe(address);
    expect((await seen(login({})))[0]).not.toBe(address);
  });

  test("is logged in to once for all hosts behind it, and left when the last is done", async () => {
    const before = await sessionsOnBastion();
    const pool = createSessionPool();
    const bastions = [{ address: bastion().address }];
    const sessions = ["deploy", "plain", "root"].map((user) =>
      pool.session(login({ user, bastions: [{ ...bastions[0]!, user: "deploy" }] })),
    );
    await Promise.all(sessions.map((session) => session.ask(script`true`)));
    expect(await sessionsOnBastion()).toBe(before + 1);
    await pool.close();
    await expect.poll(sessionsOnBastion).toBe(before);
  });

  test("may be several, each reached through the one before it", async () => {
    const inner = { address: "127.0.0.1", port: 2022, hostKey: innerKey };
    const bastions = [{ address: bastion().address }, inner];
    expect((await seen(login({ bastions })))[0]).toBe(bastion().address);
    expect(
      (
        await seen(
          login({ address: "127.0.0.1", port: 2022, hostKey: innerKey, bastions: bastions.slice(0, 1) }),
        )
      )[3],
    ).toBe("2022");
  });

  test("is named in errors: unknown or changed key, refused login, a host it cannot reach", async () => {
    const { address } = bastion();
    const unknown = await failure(
      seen(login({ bastions: [{ address, knownHostsFile: join(directory, "nothing") }] })),
    );
    expect(unknown).toMatchObject({ code: "host_key_unknown", host: "target" });
    expect(unknown.message).toContain(`on the way to target: the host key of ${address} is not known`);
    const changed = await failure(seen(login({ bastions: [{ address, hostKey: innerKey }] })));
    expect(changed).toMatchObject({ code: "host_key_changed", hostDown: true });
    expect(changed.message).toContain(`on the way to target: ${address} showed the host key`);
    const refused = await failure(seen(login({ bastions: [{ address, user: "nobody" }] })));
    expect(refused).toMatchObject({ code: "login_refused", hostDown: true });
    expect(refused.message).toBe(`on the way to target: ${address} refused the login as nobody`);
    const nothing = await failure(seen(login({ address: "127.0.0.1", port: 9, bastions: [{ address }] })));
    expect(nothing).toMatchObject({ code: "unreachable", hostDown: true });
    expect(nothing.message).toContain(`${address} made no connection to 127.0.0.1 port 9`);
  });

  test("that forwards nothing is told", async () => {
    await bastion().must(
      "echo 'AllowTcpForwarding no' >/etc/ssh/sshd_config.d/zz-forward.conf; systemctl reload ssh; sleep 0.3",
    );
    const error = await failure(seen(login({ bastions: [{ address: bastion().address }] })));
    await bastion().must("rm /etc/ssh/sshd_config.d/zz-forward.conf; systemctl reload ssh; sleep 0.3");
    expect(error).toMatchObject({ code: "unreachable" });
    expect(error.advice).toContain("AllowTcpForwarding");
  });

  test("that is lost takes the hosts behind it along, which connect anew", async () => {
    const pool = createSessionPool();
    pools.push(pool);
    const session = pool.session(login({ bastions: [{ address: bastion().address }] }));
    await session.ask(script`true`);
    const running = failure(session.run({ script: "sleep 10" }));
    await new Promise((later) => setTimeout(later, 300));
    await bastion().must("pkill -9 -f '^sshd: deploy'; true");
    expect(await running).toMatchObject({ code: "lost", started: true });
    expect((await session.ask(script`echo again`)).stdout.toString()).toBe("again\n");
  });
});

describeLab("jumps of ssh_config", () => {
  test("each hop is looked up with its own settings, through the chain before it", async () => {
    const settings = await config(`
Host target
  HostName ${target().address}
  User plain
  ProxyJump inner
Host inner
  HostName 127.0.0.1
  Port 2022
  User deploy
  HostKeyAlias inner-alias
  ProxyJump outer
Host outer
  HostName ${bastion().address}
  User deploy`);
    const [from, , , , user] = await seen(login({ address: "target", ...plain, ...settings }));
    expect([from, user]).toEqual([bastion().address, "plain"]);
    const direct = await failure(
      seen(login({ address: "target", ...plain, ...settings, proxyJump: "outer,none-such" })),
    );
    expect(direct.message).toContain("none-such");
  });

  test("a wildcard that catches the jump host itself is a circle, unless that has none", async () => {
    const { address } = bastion();
    const all = `Host *\n  ProxyJump deploy@jump:22\n`;
    const jump = `Host jump\n  HostName ${address}\n`;
    const aim = `Host target\n  HostName ${target().address}\n  User deploy\n`;
    const good = await config(`${aim}${jump}  ProxyJump none\n${all}`);
    expect((await seen(login({ address: "target", ...plain, ...good })))[0]).toBe(address);
    const bad = await failure(
      seen(login({ address: "target", ...plain, ...(await config(aim + jump + all)) })),
    );
    expect(bad).toMatchObject({ code: "login_settings" });
    expect(bad.message).toBe(
      `the way to jump goes round in circles: deploy@${target().address}:22, through deploy@${address}:22, through deploy@${address}:22`,
    );
    const growing = await failure(
      seen(login({ address: "target", ...plain, ...(await config("ProxyJump %h-x\n")) })),
    );
    expect(growing).toMatchObject({ code: "login_settings" });
  });
});

describeLab("a proxy command", () => {
  const ssh = (): string =>
    `ssh -F none -i ${lab.lab.keyFile} -o UserKnownHostsFile=${lab.lab.knownHostsFile} -W '[%h]:%p' deploy@${bastion().address}`;

  test("carries the connection, from the login or from ssh_config", async () => {
    expect((await seen(login({ proxyCommand: ssh() })))[0]).toBe(bastion().address);
    const settings = await config(
      `Host target\n  HostName ${target().address}\n  User deploy\n  ProxyCommand ${ssh()}`,
    );
    expect((await seen(login({ address: "target", ...plain, ...settings })))[0]).toBe(bastion().address);
  });

  test("that fails is told with its words, and ends with the connection", async () => {
    const error = await failure(seen(login({ proxyCommand: "sh -c 'echo no way >&2; exit 3'" })));
    expect(error).toMatchObject({ code: "unreachable", hostDown: true });
    expect(error.message).toBe("proxy_command of target failed: it ended with status 3 and said: no way");
    const silent = await failure(seen(login({ proxyCommand: "sleep 61", connectTimeout: 1 })));
    expect(silent.message).toContain("did not answer while exchanging keys within 1 s");
    expect((await failure(seen(login({ proxyCommand: "/no/such/program" })))).message).toContain(
      "status 127",
    );
  });
});
