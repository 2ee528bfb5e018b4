import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { resolveLogin } from "../login/resolve-login.ts";
import { weaknessesOf } from "../transport/offered-algorithms.ts";
import { type AlgorithmKind, algorithmKinds, algorithmsOf, isWeak } from "./algorithms.ts";
import { reachedLogin } from "./reached-login.ts";

const directory = mkdtempSync(join(tmpdir(), "conn3x-algorithms-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** What ssh makes of a list, as far as this side has the algorithms. */
function ofOpenSsh(kind: AlgorithmKind, text: string): readonly string[] {
  const args = ["-F", "none", "-G", "-o", `${kind}=${text}`, "x"];
  const printed = execFileSync("ssh", args, { encoding: "utf8", stdio: "pipe" });
  const line = printed.split("\n").find((one) => one.toLowerCase().startsWith(`${kind.toLowerCase()} `))!;
  const known = algorithmsOf(kind, "*");
  return line
    .split(" ")[1]!
    .split(",")
    .filter((name) => known.includes(name));
}

describe.skipIf(spawnSync("ssh", ["-V"]).error !== undefined)("lists as ssh reads them", () => {
  it.each<[AlgorithmKind, string]>([
    ["ciphers", "aes128-cbc,aes256-ctr"],
    ["hostKeyAlgorithms", "rsa-sha2*,ssh-ed25519"],
    ["ciphers", "^aes256-ctr"],
    ["ciphers", "-*ctr,aes128*"],
    ["ciphers", "+aes128-cbc"],
    ["kexAlgorithms", "+diffie-hellman-group14-sha1"],
    ["kexAlgorithms", "-ecdh*,diffie*"],
    ["kexAlgorithms", "^diffie-hellman-group16-sha512"],
    ["hostKeyAlgorithms", "+ssh-rsa"],
    ["hostKeyAlgorithms", "rsa-sha2-256,ssh-ed25519"],
    ["pubkeyAcceptedAlgorithms", "-ecdsa*"],
    ["macs", "hmac-sha2-512,hmac-sha1"],
  ])("%s=%s", (kind, text) => {
    const ours = algorithmsOf(kind, text);
    const theirs = ofOpenSsh(kind, text);
    // Their default order is another one.
    if (/^[-+]/.test(text)) expect([...ours].sort()).toEqual([...theirs].sort());
    else if (text.startsWith("^"))
      expect([ours[0], [...ours].sort()]).toEqual([theirs[0], [...theirs].sort()]);
    else expect([...ours].sort()).toEqual([...theirs].sort());
  });

  it.each(algorithmKinds)("the default of %s is theirs without SHA-1", (kind) => {
    const theirs = ofOpenSsh(kind, "-nothing").filter((name) => !/sha1/.test(name));
    expect([...algorithmsOf(kind, undefined)].sort()).toEqual([...theirs].sort());
    expect(algorithmsOf(kind, undefined).filter((name) => isWeak(kind, name))).toEqual([]);
  });
});

it("come from the login, else from the file", async () => {
  const sshConfigFile = join(directory, "config");
  const file =
    "Ciphers aes256-ctr\nMACs +hmac-sha1\nRequiredRSASize 3072\nCompression yes\nPubkeyAcceptedKeyTypes +ssh-rsa\n";
  writeFileSync(sshConfigFile, file);
  const login = resolveLogin({
    address: "web1",
    sshConfigFile,
    ciphers: "aes128-ctr",
    requiredRsaSize: 2048,
  });
  const { algorithms, warnings } = await reachedLogin(login);
  expect(warnings).toEqual([]);
  expect(algorithms).toMatchObject({
    ciphers: ["aes128-ctr"],
    requiredRsaSize: 2048,
    compression: ["zlib@openssh.com", "none"],
    sources: { ciphers: "ciphers", macs: `macs in ${sshConfigFile} line 2` },
  });
  expect(algorithms.macs).toContain("hmac-sha1");
  expect(algorithms.pubkeyAcceptedAlgorithms).toContain("ssh-rsa");
  expect((await reachedLogin(resolveLogin({ address: "web1", sshConfigFile }))).algorithms).toMatchObject({
    ciphers: ["aes256-ctr"],
    requiredRsaSize: 3072,
  });
});

/** Every keyword that can let something weak in, and what is said of it. */
const widening: readonly (readonly [keyword: string, setting: object, value: string, what: string])[] = [
  ["HostKeyAlgorithms", { hostKeyAlgorithms: "+ssh-rsa" }, "+ssh-rsa", "ssh-rsa (host_key_algorithms"],
  ["KexAlgorithms", { kexAlgorithms: "+*sha1" }, "+*group14-sha1", "diffie-hellman-group14-sha1"],
  ["Ciphers", { ciphers: "3des-cbc" }, "3des-cbc", "3des-cbc (ciphers"],
  ["MACs", { macs: "^hmac-sha1" }, "^hmac-sha1", "hmac-sha1 (macs"],
  ["PubkeyAcceptedAlgorithms", { pubkeyAcceptedAlgorithms: "*" }, "*", "ssh-rsa (pubkey_accepted_algorithms"],
  ["PubkeyAcceptedKeyTypes", { pubkeyAcceptedAlgorithms: "*" }, "*", "ssh-rsa (pubkey_accepted_algorithms"],
  ["RequiredRSASize", { requiredRsaSize: 1024 }, "1024", "RSA with 1024 bits (required_rsa_size"],
];

describe("what is weak is warned of", () => {
  it.each(widening)("by the setting of the login and by %s alike", async (keyword, setting, value, what) => {
    const sshConfigFile = join(directory, `weak-${keyword}`);
    writeFileSync(sshConfigFile, `Host web*\n  ${keyword} ${value}\n`);
    const of = async (more: object): Promise<readonly string[]> =>
      weaknessesOf(await reachedLogin(resolveLogin({ address: "web1", ...more })));
    const inLogin = await of({ ...setting, sshConfigFile: "none" });
    expect(inLogin).toHaveLength(1);
    expect(inLogin[0]).toContain(what);
    expect(inLogin[0]).toMatch(/^The login on web1 allows /);
    const inFile = await of({ sshConfigFile });
    expect(inFile).toHaveLength(1);
    expect(inFile[0]).toContain(what);
    expect(inFile[0]).toContain(` in ${sshConfigFile} line 2)`);
    // The same for every host, so that it is said once.
    expect(await of({ sshConfigFile, address: "web2" })).toEqual(inFile);
    expect(await of({ sshConfigFile, address: "db1" })).toEqual([]);
  });

  it.each([
    ["RequiredRSASize 2048"],
    ["Ciphers aes128-ctr"],
    ["MACs -hmac-sha1"],
    ["HostKeyAlgorithms ^ssh-ed25519"],
  ])("and what is not weak is not: %s", async (line) => {
    const sshConfigFile = join(directory, "strong");
    writeFileSync(sshConfigFile, `${line}\n`);
    expect(weaknessesOf(await reachedLogin(resolveLogin({ address: "web1", sshConfigFile })))).toEqual([]);
  });
});
