/**
 * @module Logging in to real hosts: agents, certificates, passphrases, known hosts; and with the system's `ssh`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { raw, script } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { Session, SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { whyNoLab } from "./available.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];

let directory: string;
const at = (name: string): string => join(directory, name);
let pools: SessionPool[] = [];
type Changes = { [K in keyof Login]?: Login[K] | undefined };
function connect(changes: Changes = {}): Session {
  const pool = createSessionPool();
  pools.push(pool);
  const { address, name } = host();
  const { keyFile, knownHostsFile } = lab.lab;
  const base = { host: name, user: "deploy", privateKeyFile: keyFile, knownHostsFile, agent: false };
  return pool.session(
    resolveLogin({ ...base, sshConfigFile: "none", ...changes, address: changes.address ?? address }),
  );
}
const says = async (session: Session): Promise<string> =>
  (await session.ask(raw("id -un"))).stdout.toString().trim();
const failure = (work: Promise<unknown>): Promise<HostError> =>
  work.then(
    () => expect.fail("this should have failed"),
    (error: HostError) => error,
  );
function keyPair(name: string, ...options: string[]): string {
  execFileSync("ssh-keygen", ["-q", "-N", "", "-f", at(name), ...options]);
  return at(name);
}
const authorise = (name: string): Promise<string> =>
  host().must("cat >>/home/deploy/.ssh/authorized_keys", readFileSync(`${name}.pub`, "utf8"));
const sshd = (settings: string): Promise<string> =>
  host().must(
    "cat >/etc/ssh/sshd_config.d/zz-test.conf; systemctl reset-failed ssh; systemctl restart ssh",
    settings,
  );

let agent: { socket: string; pid: number } | undefined;
const before = process.env.SSH_AUTH_SOCK;
beforeAll(() => {
  if (whyNoLab() !== undefined) return;
  directory = mkdtempSync(join(tmpdir(), "conn3x-logins-"));
  const printed = execFileSync("ssh-agent", ["-a", at("agent")], { encoding: "utf8" });
  agent = { socket: at("agent"), pid: Number(/SSH_AGENT_PID=(\d+)/.exec(printed)![1]) };
  process.env.SSH_AUTH_SOCK = agent.socket;
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});
afterAll(() => {
  if (!agent) return;
  process.kill(agent.pid);
  if (before === undefined) delete process.env.SSH_AUTH_SOCK;
  else process.env.SSH_AUTH_SOCK = before;
  rmSync(directory, { recursive: true });
});
const add = (key: string): void => void execFileSync("ssh-add", ["-q", key], { stdio: "ignore" });

describeLab("an agent", () => {
  const agentOnly: Changes = { privateKeyFile: undefined, agent: true };

  test("with a key of RSA, on a host that takes no SHA-1", async () => {
    const rsa = keyPair("rsa", "-t", "rsa", "-b", "2048");
    await authorise(rsa);
    add(rsa);
    await sshd("PubkeyAcceptedAlgorithms rsa-sha2-512,rsa-sha2-256\n");
    expect(await says(connect(agentOnly))).toBe("deploy");
    expect(await says(connect({ privateKeyFile: rsa }))).toBe("deploy");
    // Such a host still says that it knows both signatures.
    for (const only of ["rsa-sha2-512", "rsa-sha2-256"]) {
      await sshd(`PubkeyAcceptedAlgorithms ${only}\n`);
      expect(await says(connect(agentOnly))).toBe("deploy");
      expect(await says(connect({ privateKeyFile: rsa }))).toBe("deploy");
    }
    await sshd("PubkeyAcceptedAlgorithms ssh-ed25519\n");
    const refused = await failure(says(connect({ privateKeyFile: rsa })));
    expect(refused.advice.match(/SHA256:/g)).toHaveLength(1);
    await sshd("");
  });

  test("with nine keys, on a host that lets six be tried: those that are named come first", async () => {
    for (let i = 0; i < 8; i++) add(keyPair(`many-${i}`, "-t", "ed25519"));
    const wanted = keyPair("wanted", "-t", "ed25519");
    await authorise(wanted);
    add(wanted);
    execFileSync("ssh-add", ["-q", "-d", at("rsa")], { stdio: "ignore" });
    const refused = await failure(says(connect(agentOnly)));
    expect(refused).toMatchObject({ code: "login_refused", message: expect.stringContaining("Too many") });
    const config = (text: string): Changes => {
      writeFileSync(at("config"), text);
      return { ...agentOnly, sshConfigFile: at("config") };
    };
    // The agent has it, and the file beside it is its public part only.
    rmSync(wanted);
    expect(await says(connect({ ...agentOnly, privateKeyFile: `${wanted}.pub` }))).toBe("deploy");
    for (const text of [
      `IdentityFile ${wanted}\n`,
      `IdentityFile ${wanted}.pub\n`,
      `IdentityFile ${at("many-0")}\nIdentityFile ${wanted}.pub\n`,
      `IdentityFile ${wanted}\nIdentitiesOnly yes\n`,
    ]) {
      expect(await says(connect(config(text)))).toBe("deploy");
    }
  });

  test("with a key that is good for a part: what is wanted besides is said, and the key is not refused", async () => {
    await sshd("AuthenticationMethods publickey,password\n");
    const wanted = readFileSync(at("wanted.pub"), "utf8");
    const print = execFileSync("ssh-keygen", ["-lf", "-"], { input: wanted, encoding: "utf8" }).split(
      " ",
    )[1]!;
    const named = connect({ ...agentOnly, privateKeyFile: at("wanted.pub"), identitiesOnly: true });
    const ofFile = connect();
    for (const [session, source] of [
      [named, `${print} (agent)`],
      [ofFile, `(${lab.lab.keyFile})`],
    ] as const) {
      const error = await failure(says(session));
      expect(error.code).toBe("login_refused");
      expect(error.message).toMatch(/^web1 accepted key SHA256:/);
      expect(error.message).toContain(source);
      expect(error.message).toContain("wants another proof besides");
      expect(error.advice).toBe("The host accepts: password.");
    }
    await sshd("");
  });

  test("opens what its file would need a passphrase for", async () => {
    const locked = keyPair("locked", "-t", "ed25519");
    await authorise(locked);
    execFileSync("ssh-add", ["-q", "-D"], { stdio: "ignore" });
    add(locked);
    execFileSync("ssh-keygen", ["-q", "-p", "-P", "", "-N", "secret words", "-f", locked]);
    expect(await says(connect({ privateKeyFile: locked, agent: true }))).toBe("deploy");
    expect(await says(connect({ privateKeyFile: locked, passphrase: "secret words" }))).toBe("deploy");
    execFileSync("ssh-add", ["-q", "-D"], { stdio: "ignore" });
    expect(await failure(says(connect({ privateKeyFile: locked, agent: true })))).toMatchObject({
      code: "login_settings",
      message: expect.stringContaining("is encrypted"),
    });
  });
});

describeLab("known hosts", () => {
  const file = (text: string): Changes => {
    const knownHostsFile = at(`known_hosts-${Math.random()}`);
    writeFileSync(knownHostsFile, text);
    return { knownHostsFile };
  };
  const config = (text: string): Changes => {
    writeFileSync(at("config"), text);
    return { knownHostsFile: undefined, sshConfigFile: at("config") };
  };
  const accepted = (changes: Changes): string => {
    const { knownHostsFile } = changes;
    const args = ["-F", "none", "-i", lab.lab.keyFile, "-o", `UserKnownHostsFile=${knownHostsFile}`];
    const strict = [
      "-o",
      "StrictHostKeyChecking=yes",
      "-o",
      "BatchMode=yes",
      "-o",
      "GlobalKnownHostsFile=none",
    ];
    return execFileSync("ssh", [...args, ...strict, `deploy@${host().address}`, "id -un"], {
      encoding: "utf8",
    });
  };

  test("hashed, by pattern, by alias: as ssh-keygen and ssh have them", async () => {
    const { address, hostKey } = host();
    const hashed = file(`${address} ${hostKey}\n`);
    execFileSync("ssh-keygen", ["-q", "-H", "-f", hashed.knownHostsFile!], { stdio: "ignore" });
    expect(readFileSync(hashed.knownHostsFile!, "utf8")).not.toContain(address);
    expect(await says(connect(hashed))).toBe("deploy");
    const range = address.replace(/\.\d+$/, ".*");
    expect(await says(connect(file(`${range},!10.0.0.1 ${hostKey}\n`)))).toBe("deploy");
    expect(await failure(says(connect(file(`${range},!${address} ${hostKey}\n`))))).toMatchObject({
      code: "host_key_unknown",
    });
    const alias = config(
      `HostKeyAlias gate\nUserKnownHostsFile ${file(`gate ${hostKey}\n`).knownHostsFile}\n`,
    );
    expect(await says(connect(alias))).toBe("deploy");
  });

  test("a revoked key is refused whatever the checking, an authority is named", async () => {
    const { address, hostKey } = host();
    const revoked = await failure(
      says(
        connect({ ...file(`${address} ${hostKey}\n@revoked * ${hostKey}\n`), hostKeyChecking: "accept-new" }),
      ),
    );
    expect(revoked).toMatchObject({
      code: "host_key_changed",
      message: expect.stringContaining("line 2 revokes"),
    });
    const authority = await failure(says(connect(file(`@cert-authority *,other ${hostKey}\n`))));
    expect(authority).toMatchObject({ code: "host_key_unknown" });
    expect(authority.advice).toContain('certificates need transport = "openssh"');
    expect(authority.advice).toContain(`\n    ${address} ${hostKey.split(" ").slice(0, 2).join(" ")}\n`);
  });

  test("new ones are recorded so that ssh takes them, hashed where ssh would hash", async () => {
    const plain = file("");
    expect(await says(connect({ ...plain, hostKeyChecking: "accept-new" }))).toBe("deploy");
    expect(accepted(plain)).toBe("deploy\n");
    const knownHostsFile = at("hashed-new");
    const hashing = config(
      `HashKnownHosts yes\nStrictHostKeyChecking accept-new\nUserKnownHostsFile ${knownHostsFile}\n`,
    );
    expect(await says(connect(hashing))).toBe("deploy");
    expect(readFileSync(knownHostsFile, "utf8")).toMatch(/^\|1\|/);
    expect(accepted({ knownHostsFile })).toBe("deploy\n");
  });
});

describeLab("certificates, by the system's ssh", () => {
  test("of the user and of the host", async () => {
    const { address, hostKey } = host();
    const authority = keyPair("authority", "-t", "ed25519");
    const user = keyPair("user", "-t", "ed25519");
    execFileSync("ssh-keygen", ["-q", "-s", authority, "-I", "me", "-n", "deploy", `${user}.pub`], {
      stdio: "ignore",
    });
    writeFileSync(at("host.pub"), `${hostKey}\n`);
    execFileSync("ssh-keygen", ["-q", "-s", authority, "-I", "web1", "-h", "-n", address, at("host.pub")], {
      stdio: "ignore",
    });
    await host().must("cat >/etc/ssh/ca.pub", readFileSync(`${authority}.pub`, "utf8"));
    await host().must("cat >/etc/ssh/host-cert.pub", readFileSync(at("host-cert.pub"), "utf8"));
    await sshd("TrustedUserCAKeys /etc/ssh/ca.pub\nHostCertificate /etc/ssh/host-cert.pub\n");
    writeFileSync(at("ca_hosts"), `@cert-authority * ${readFileSync(`${authority}.pub`, "utf8")}`);
    const changes = {
      privateKeyFile: user,
      certificateFile: `${user}-cert.pub`,
      knownHostsFile: at("ca_hosts"),
    };
    expect(await says(connect(changes))).toBe("deploy");
    expect(await failure(says(connect({ ...changes, transport: "ssh2" })))).toMatchObject({
      code: "login_settings",
      message: expect.stringContaining("certificate_file"),
    });
    const beside = { ...changes, certificateFile: undefined };
    expect(await says(connect(beside))).toBe("deploy");
    const { knownHostsFile } = lab.lab;
    const unseen = await failure(says(connect({ ...beside, knownHostsFile, transport: "ssh2" })));
    expect(unseen).toMatchObject({ code: "login_refused" });
    expect(unseen.advice).toContain(`${user}-cert.pub was not shown: transport = "openssh"`);
    await sshd("");
  });
});

describeLab("the system's ssh", () => {
  const openssh: Changes = { transport: "openssh" };

  test("carries facts, commands, files, become, many channels, and is gone in the end", async () => {
    const session = connect({ ...openssh, become: true });
    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 31) % 256));
    await session.put({ path: "/tmp/put-there", content, follow: true });
    const back = await session.ask(script`cat /tmp/put-there`);
    expect(back.stdout.equals(content)).toBe(true);
    const numbers = Array.from({ length: 15 }, (_, i) => i);
    const answers = await Promise.all(numbers.map((i) => session.run({ script: `sleep 0.2; echo ${i}` })));
    expect(answers.map(({ stdout }) => stdout.toString())).toEqual(numbers.map((i) => `${i}\n`));
    await pools[0]!.close();
    await expect.poll(() => host().must("pgrep -c -f '^sshd: deploy'; true")).toBe("0\n");
  });

  test("is refused, lost and limited as the other", async () => {
    expect(await failure(says(connect({ ...openssh, user: "nobody" })))).toMatchObject({
      code: "login_refused",
    });
    const session = connect(openssh);
    await session.ask(script`true`);
    const running = failure(session.run({ script: "sleep 20" }));
    await new Promise((later) => setTimeout(later, 1500));
    await host().must("pkill -9 -f '^sshd: deploy'; true");
    expect(await running).toMatchObject({ code: "lost", started: true });
    expect(await says(session)).toBe("deploy");
    await sshd("MaxSessions 1\n");
    const few = connect(openssh);
    const both = await Promise.all([few.ask(script`echo 1`), few.run({ script: "echo 2" })]);
    expect(both.map(({ stdout }) => stdout.toString())).toEqual(["1\n", "2\n"]);
    await sshd("");
  });

  test("is given passwords and passphrases without an argument or a file, and terminals", async () => {
    await host().must("chpasswd; echo 'Defaults requiretty' >/etc/sudoers.d/zz-test", "plain:open sesame\n");
    await sshd("PasswordAuthentication yes\n");
    const byPassword: Changes = {
      ...openssh,
      user: "plain",
      privateKeyFile: undefined,
      password: "open sesame",
    };
    writeFileSync(at("config"), "PubkeyAuthentication no\n");
    expect(await says(connect({ ...byPassword, sshConfigFile: at("config") }))).toBe("plain");
    const refused = await failure(
      says(connect({ ...byPassword, password: "open barley", sshConfigFile: at("config") })),
    );
    expect(refused).toMatchObject({ code: "login_refused" });
    expect(refused.message + refused.advice).not.toContain("barley");
    expect(
      await says(connect({ ...openssh, privateKeyFile: at("locked"), passphrase: "secret words" })),
    ).toBe("deploy");
    const root = connect({ ...openssh, become: true });
    expect(await says(root)).toBe("root");
    expect(
      await root.run({ script: "cat; echo err >&2", stdin: Buffer.from("\r\n\x03\0\xff", "latin1") }),
    ).toMatchObject({
      merged: true,
      stdout: Buffer.from("\r\n\x03\0\xfferr\n", "latin1"),
    });
    await host().must("rm /etc/sudoers.d/zz-test");
    await sshd("");
  });
});
