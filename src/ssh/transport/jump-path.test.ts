import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Login } from "../login/login.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import { type JumpPath, jumpPathTo } from "./jump-path.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-route-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function way(config: string, changes: Partial<Login> = {}): Promise<JumpPath> {
  const sshConfigFile = join(directory, "config");
  writeFileSync(sshConfigFile, config);
  return jumpPathTo(
    resolveLogin({ user: "me", ...changes, sshConfigFile, address: changes.address ?? "target" }),
  );
}

/** `user@address:port` from the host back to the controller. */
function places({ login, via }: JumpPath): string[] {
  const here = `${login.user}@${login.address}:${login.port}`;
  if (via === "network") return [here];
  return "command" in via ? [here, via.command] : [here, ...places(via.jumpHost)];
}
const hopOf = ({ via }: JumpPath): JumpPath => {
  if (via === "network" || !("jumpHost" in via)) return expect.fail("there should be a hop");
  return via.jumpHost;
};

describe("the way to a host", () => {
  it("is straight without more", async () => {
    expect(places(await way(""))).toEqual(["me@target:22"]);
  });

  it("goes through jumps in their order, whoever names them", async () => {
    const jumps = "a@one:2022,two,ssh://c@[2001:db8::1]:7";
    const wanted = ["me@target:22", "c@2001:db8::1:7", "me@two:22", "a@one:2022"];
    expect(places(await way("", { proxyJump: jumps }))).toEqual(wanted);
    expect(places(await way(`Host target\n  ProxyJump ${jumps}\n`))).toEqual(wanted);
    const bastions = [
      { address: "one", user: "a", port: 2022 },
      { address: "two" },
      { address: "2001:db8::1", user: "c", port: 7 },
    ];
    expect(places(await way("", { bastions }))).toEqual(wanted);
  });

  it("looks each hop up, and what leads to the first", async () => {
    const config =
      "Host target\n  ProxyJump one\nHost one\n  HostName 10.0.0.1\n  User x\n  ProxyJump two\nHost two\n  ProxyCommand nc %h %p\n";
    expect(places(await way(config))).toEqual(["me@target:22", "x@10.0.0.1:22", "me@two:22", "nc two 22"]);
  });

  it("is what the login says, and not the file: also none", async () => {
    const config = "Host target\n  ProxyJump one\n";
    expect(places(await way(config, { proxyJump: "none" }))).toEqual(["me@target:22"]);
    expect(places(await way(config, { proxyJump: "two" }))).toEqual(["me@target:22", "me@two:22"]);
    expect(places(await way(config, { proxyCommand: "nc %h" }))).toEqual(["me@target:22", "nc target"]);
  });

  it("that comes back to itself, or has no end, is an error with the chain", async () => {
    await expect(way("ProxyJump jump\n", { address: "jump" })).rejects.toMatchObject({
      code: "login_settings",
      message: "the way to jump goes round in circles: me@jump:22, through me@jump:22",
    });
    await expect(
      way("Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n", { address: "a" }),
    ).rejects.toMatchObject({
      message: "the way to a goes round in circles: me@a:22, through me@b:22, through me@a:22",
    });
    await expect(way("ProxyJump %h-x\n")).rejects.toMatchObject({ code: "login_settings" });
  });

  it("refuses what is no jump", async () => {
    for (const proxyJump of ["a,,b", "a:port", "[::1", ""]) {
      await expect(way("", { proxyJump })).rejects.toMatchObject({ code: "login_settings" });
    }
  });
});

describe("what a hop has of the login behind it", () => {
  const outer: Partial<Login> = {
    privateKey: "key",
    passphrase: "words",
    password: "secret",
    hostKey: "ssh-ed25519 AAAA",
    becomePassword: "other secret",
    become: true,
    hostKeyChecking: "accept-new",
    knownHostsFile: "/known",
  };

  it("is its key, and how host keys are checked; never its passwords or its host key", async () => {
    const { login } = hopOf(await way("", { ...outer, proxyJump: "jump" }));
    expect(login).toMatchObject({
      privateKey: "key",
      passphrase: "words",
      hostKeyChecking: "accept-new",
      become: false,
    });
    expect(login.knownHostsFiles).toEqual(["/known"]);
    expect(JSON.stringify(login)).not.toContain("secret");
    expect(login.hostKey).toBeUndefined();
  });

  it("comes from there, not from the hop after it", async () => {
    const bastions = [
      { address: "one" },
      { address: "two", user: "x", privateKeyFile: "/two", password: "for two" },
    ];
    const one = hopOf(hopOf(await way("", { ...outer, bastions })));
    expect(one.login).toMatchObject({ address: "one", user: "me", privateKey: "key", passphrase: "words" });
    expect([one.login.privateKeyFile, one.login.password]).toEqual([undefined, undefined]);
  });

  it("gives way to what it says itself, and user and port to the file", async () => {
    const bastions = [{ address: "jump", privateKeyFile: "/own", password: "own", hostKey: "SHA256:x" }];
    const { login } = hopOf(await way("Host jump\n  User filed\n  Port 9\n", { ...outer, bastions }));
    expect(login).toMatchObject({
      privateKeyFile: "/own",
      password: "own",
      hostKey: "SHA256:x",
      user: "filed",
      port: 9,
    });
    expect([login.privateKey, login.passphrase]).toEqual([undefined, undefined]);
  });
});
