/**
 * @module Hosts whose sshd has only what is weak: refused, and reached where the login says so, with a warning.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { raw } from "../../src/script/script.ts";
import type { HostError } from "../../src/ssh/host-error.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { SessionPool } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { whyNoLab } from "./available.ts";
import { describeLab, labHosts } from "./for-tests.ts";

const lab = labHosts(1);
const host = () => lab.hosts[0];
const directory = mkdtempSync(join(tmpdir(), "conn3x-algorithms-"));
const rsa = join(directory, "rsa");
const small = join(directory, "small");
afterAll(() => rmSync(directory, { recursive: true }));

let pools: SessionPool[] = [];
let warnings: string[] = [];
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
  warnings = [];
});

async function login(changes: Partial<Login> = {}): Promise<string> {
  const pool = createSessionPool({ warn: ({ about, text }) => warnings.push(`${about}: ${text}`) });
  pools.push(pool);
  const base = { host: host().name, user: "deploy", privateKeyFile: lab.lab.keyFile, agent: false } as const;
  const settings = { ...base, hostKeyChecking: "off", sshConfigFile: "none", retries: 0 } as const;
  const session = pool.session(resolveLogin({ ...settings, ...changes, address: host().address }));
  return (await session.ask(raw("id -un"))).stdout.toString().trim();
}
const failure = (changes: Partial<Login> = {}): Promise<HostError> =>
  login(changes).then(
    () => expect.fail("this should have failed"),
    (error: HostError) => error,
  );
const sshd = (settings: string): Promise<string> =>
  host().must(
    "cat >/etc/ssh/sshd_config.d/zz-test.conf; systemctl reset-failed ssh; systemctl restart ssh",
    settings,
  );

beforeAll(async () => {
  if (whyNoLab() !== undefined) return;
  execFileSync("ssh-keygen", ["-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", rsa]);
  execFileSync("ssh-keygen", ["-q", "-t", "rsa", "-b", "1024", "-N", "", "-f", small]);
  for (const key of [rsa, small])
    await host().must("cat >>/home/deploy/.ssh/authorized_keys", readFileSync(`${key}.pub`, "utf8"));
  await host().must(
    "ssh-keygen -q -t rsa -b 2048 -N '' -f /etc/ssh/rsa2048; ssh-keygen -q -t rsa -b 1024 -N '' -f /etc/ssh/rsa1024",
  );
});

const weakHosts: readonly (readonly [string, string, Partial<Login>])[] = [
  [
    "HostKey /etc/ssh/rsa2048\nHostKeyAlgorithms ssh-rsa\n",
    "ssh-rsa (host_key_algorithms)",
    { hostKeyAlgorithms: "+ssh-rsa" },
  ],
  [
    "KexAlgorithms diffie-hellman-group14-sha1\n",
    "diffie-hellman-group14-sha1 (kex_algorithms)",
    { kexAlgorithms: "+diffie-hellman-group14-sha1" },
  ],
  ["Ciphers aes256-cbc\n", "aes256-cbc (ciphers)", { ciphers: "+aes256-cbc" }],
  ["Ciphers aes256-ctr\nMACs hmac-sha1\n", "hmac-sha1 (macs)", { macs: "+hmac-sha1" }],
];

describeLab("a host that has only what is weak", () => {
  test.each(weakHosts)("%s", async (settings, name, widened) => {
    await sshd(settings);
    const refused = await failure();
    expect(refused).toMatchObject({ code: "algorithms", hostDown: true });
    expect(refused.message).toContain(name.split(" ")[0]);
    const [[setting, value]] = Object.entries(widened) as [[string, string]];
    const written = setting.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(refused.advice).toContain(`${written} = "${value}"`);
    expect(warnings).toEqual([]);
    for (const transport of ["ssh2", "openssh"] as const) {
      expect(await login({ ...widened, transport })).toBe("deploy");
      expect(warnings).toEqual([
        expect.stringContaining(`algorithms: The login on ${host().name} allows ${name}`),
      ]);
      warnings = [];
      // The same by a configuration file, said once and not of each host.
      const sshConfigFile = join(directory, `widened-${setting}`);
      writeFileSync(sshConfigFile, `${setting} ${value}\n`);
      expect(await login({ sshConfigFile, transport })).toBe("deploy");
      expect(warnings).toEqual([
        expect.stringMatching(`^algorithms: ssh_config allows .*in ${sshConfigFile} line 1`),
      ]);
      warnings = [];
    }
  });

  test("a key of RSA with 1,024 bits, which is not recorded either", async () => {
    await sshd("HostKey /etc/ssh/rsa1024\nHostKeyAlgorithms rsa-sha2-512\nRequiredRSASize 1024\n");
    const knownHostsFile = join(directory, "known");
    const refused = await failure({ hostKeyChecking: "accept-new", knownHostsFile, password: "hush" });
    expect(refused).toMatchObject({
      code: "algorithms",
      message: expect.stringContaining("1024 bits: 2048 are required"),
    });
    expect(() => readFileSync(knownHostsFile)).toThrow("ENOENT");
    expect(await login({ requiredRsaSize: 1024 })).toBe("deploy");
    expect(warnings).toEqual([expect.stringContaining("RSA with 1024 bits (required_rsa_size)")]);
    const sshConfigFile = join(directory, "small-keys");
    writeFileSync(sshConfigFile, "RequiredRSASize 1024\n");
    for (const transport of ["ssh2", "openssh"] as const) {
      warnings = [];
      expect(await login({ sshConfigFile, transport })).toBe("deploy");
      expect(warnings).toEqual([expect.stringContaining(`(required_rsa_size in ${sshConfigFile} line 1)`)]);
    }
  });

  test("keys that are offered: their size and their signatures", async () => {
    await sshd("RequiredRSASize 1024\nPubkeyAcceptedAlgorithms ssh-rsa\n");
    const refused = await failure({ privateKeyFile: rsa });
    expect(refused.code).toBe("login_refused");
    // Such a host still says that it knows the others: those are used, with SHA-1 allowed as well.
    await sshd("");
    expect(await login({ privateKeyFile: rsa, pubkeyAcceptedAlgorithms: "+ssh-rsa" })).toBe("deploy");
    expect(warnings).toEqual([expect.stringContaining("ssh-rsa (pubkey_accepted_algorithms)")]);
    await sshd("RequiredRSASize 1024\n");
    const tooSmall = await failure({ privateKeyFile: small });
    expect(tooSmall.advice).toContain("it has 1024 bits, and required_rsa_size is 2048");
    expect(await login({ privateKeyFile: small, requiredRsaSize: 1024 })).toBe("deploy");
    expect(await failure({ privateKeyFile: rsa, pubkeyAcceptedAlgorithms: "ssh-ed25519" })).toMatchObject({
      advice: expect.stringContaining("pubkey_accepted_algorithms leaves ssh-rsa out"),
    });
  });

  test("a list that leaves nothing is a mistake", async () => {
    expect(await failure({ ciphers: "none-such" })).toMatchObject({
      code: "login_settings",
      message: expect.stringContaining('ciphers leaves no algorithm for web1 that transport "ssh2" has'),
    });
  });
});
