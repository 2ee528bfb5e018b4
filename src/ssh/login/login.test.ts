import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ssh2 from "ssh2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DemoHost } from "../../demo/host/demo-host.ts";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { generateKeyPair } from "../../demo/host/key-pair.ts";
import { script } from "../../script/script.ts";
import { fingerprint } from "../auth/known-hosts.ts";
import type { HostError } from "../host-error.ts";
import { createSessionPool } from "../session-pool.ts";
import { startFaultProxy } from "../testing/fault-proxy.ts";
import type { Login } from "./login.ts";
import { resolveLogin } from "./resolve-login.ts";

let host: DemoHost;
let directory: string;
beforeAll(async () => {
  host = await startDemoHost({ password: "open sesame" });
  directory = await mkdtemp(join(tmpdir(), "conn3x-login-"));
});
afterAll(async () => {
  await host.close();
  await rm(directory, { recursive: true });
});

const fingerprintOf = (line: string): string => fingerprint(Buffer.from(line.split(" ")[1]!, "base64"));
const other = generateKeyPair();

/** Logs in with the demo host's settings, some of them changed, and asks one thing. `undefined` takes a setting away. */
async function attempt(changes: { [K in keyof Login]?: Login[K] | undefined }): Promise<string> {
  const pool = createSessionPool();
  try {
    const login = resolveLogin({
      ...host.login,
      host: "web1",
      connectTimeout: 15,
      sshConfigFile: "none",
      ...changes,
      address: "127.0.0.1",
    });
    return (await pool.session(login).ask(script`echo in`)).stdout.toString();
  } finally {
    await pool.close();
  }
}

/** As {@link attempt}, for one that must fail. */
async function failure(changes: Parameters<typeof attempt>[0]): Promise<HostError> {
  return attempt(changes).then(
    () => expect.fail("the login should have been refused"),
    (error: HostError) => error,
  );
}

describe("host keys", () => {
  const knownHosts = async (text: string): Promise<{ knownHostsFile: string; hostKey: undefined }> => {
    const knownHostsFile = join(directory, `known_hosts-${Math.random()}`);
    if (text !== "") await writeFile(knownHostsFile, text);
    return { knownHostsFile, hostKey: undefined };
  };

  it("accepts the key that is named, as a line or as a fingerprint", async () => {
    expect(await attempt({ hostKey: host.hostKey })).toBe("in\n");
    expect(await attempt({ hostKey: fingerprintOf(host.hostKey) })).toBe("in\n");
  });

  it("refuses any other than the named one", async () => {
    for (const hostKey of [other.public, fingerprintOf(other.public)]) {
      const error = await failure({ hostKey });
      expect(error.code).toBe("host_key_changed");
      expect(error.message).toContain(fingerprintOf(host.hostKey));
      expect(error.message).toContain(fingerprintOf(other.public));
      expect(error.hostDown).toBe(true);
    }
  });

  it("finds a fingerprint among the keys of several types", async () => {
    const keys = [
      generateKeyPair(),
      ssh2.utils.generateKeyPairSync("ecdsa", { bits: 256 }),
      ssh2.utils.generateKeyPairSync("rsa", { bits: 2048 }),
    ];
    const server = new ssh2.Server({ hostKeys: keys.map((key) => key.private) }, (client) => {
      client.on("error", () => {});
      client.on("authentication", (attempt) => attempt.reject(["publickey"]));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    for (const key of keys) {
      // The key is accepted when the login comes as far as being refused.
      expect(await failure({ port, hostKey: fingerprintOf(key.public) })).toMatchObject({
        code: "login_refused",
      });
    }
    expect(await failure({ port, hostKey: fingerprintOf(other.public) })).toMatchObject({
      code: "host_key_changed",
    });
    server.close();
  });

  it("says when host_key is no key", async () => {
    expect(await failure({ hostKey: "nonsense" })).toMatchObject({ code: "login_settings" });
  });

  it("refuses an unknown key with its fingerprint and the line to add; with that line it goes on", async () => {
    const settings = await knownHosts("");
    const error = await failure(settings);
    expect(error).toMatchObject({ code: "host_key_unknown", host: "web1", started: false, hostDown: true });
    expect(error.message).toContain(fingerprintOf(host.hostKey));
    const line = `[127.0.0.1]:${host.port} ${host.hostKey}`;
    expect(error.advice).toContain(line);
    await writeFile(settings.knownHostsFile, `${line}\n`);
    expect(await attempt(settings)).toBe("in\n");
  });

  it("looks a host on another port up by that port, not by its bare name", async () => {
    expect(
      await attempt(
        await knownHosts(`127.0.0.1 ${other.public}\n[127.0.0.1]:${host.port} ${host.hostKey}\n`),
      ),
    ).toBe("in\n");
    expect(await failure(await knownHosts(`127.0.0.1 ${host.hostKey}\n`))).toMatchObject({
      code: "host_key_unknown",
    });
  });

  it("refuses a changed key with both fingerprints, file and line, whatever the checking", async () => {
    const settings = await knownHosts(`# mine\n[127.0.0.1]:${host.port} ${other.public}\n`);
    for (const hostKeyChecking of ["strict", "accept-new"] as const) {
      const error = await failure({ ...settings, hostKeyChecking });
      expect(error.code).toBe("host_key_changed");
      for (const part of [
        fingerprintOf(host.hostKey),
        fingerprintOf(other.public),
        settings.knownHostsFile,
        "line 2",
      ]) {
        expect(error.message).toContain(part);
      }
    }
    expect(await attempt({ ...settings, hostKeyChecking: "off" })).toBe("in\n");
  });

  it("records new keys with accept-new, after a last line without newline too", async () => {
    const settings = await knownHosts(`elsewhere ${other.public}`);
    expect(await attempt({ ...settings, hostKeyChecking: "accept-new" })).toBe("in\n");
    expect(await readFile(settings.knownHostsFile, "utf8")).toBe(
      `elsewhere ${other.public}\n[127.0.0.1]:${host.port} ${host.hostKey}\n`,
    );
    expect(await attempt(settings)).toBe("in\n");
  });

  it("makes the file where there is none, for its owner only", async () => {
    const knownHostsFile = join(directory, "new", "known_hosts");
    await attempt({ hostKey: undefined, knownHostsFile, hostKeyChecking: "accept-new" });
    expect((await stat(knownHostsFile)).mode & 0o777).toBe(0o600);
  });
});

describe("keys and passwords", () => {
  it("takes a key file, with line ends of another system and without the last newline too", async () => {
    const file = join(directory, "key");
    for (const text of [host.privateKey, host.privateKey.replaceAll("\n", "\r\n"), host.privateKey.trim()]) {
      await writeFile(file, text);
      expect(await attempt({ privateKey: undefined, privateKeyFile: file })).toBe("in\n");
    }
  });

  it("opens an encrypted key with its passphrase, and says what is wrong otherwise", async () => {
    const file = join(directory, "encrypted");
    await writeFile(file, host.privateKey, { mode: 0o600 });
    execFileSync("ssh-keygen", ["-q", "-p", "-P", "", "-N", "secret words", "-f", file]);
    const settings = { privateKey: undefined, privateKeyFile: file };
    expect(await attempt({ ...settings, passphrase: "secret words" })).toBe("in\n");
    const without = await failure(settings);
    expect(without).toMatchObject({ code: "login_settings", advice: expect.stringContaining("passphrase") });
    expect(without.message).toContain("encrypted");
    const wrong = await failure({ ...settings, passphrase: "other words" });
    expect(wrong).toMatchObject({ code: "login_settings", message: expect.stringContaining("passphrase") });
    expect(wrong.message + wrong.advice).not.toContain("other words");
  });

  it("says which file is missing, and when it is the public half", async () => {
    const missing = join(directory, "missing");
    expect(await failure({ privateKey: undefined, privateKeyFile: missing })).toMatchObject({
      code: "login_settings",
      message: expect.stringContaining(missing),
    });
    expect(await failure({ privateKey: other.public })).toMatchObject({
      code: "login_settings",
      message: expect.stringContaining("public key"),
    });
  });

  it("tells a refused login which keys were offered and what the host would take", async () => {
    const error = await failure({ privateKey: other.private });
    expect(error).toMatchObject({ code: "login_refused", started: false, hostDown: true });
    expect(error.advice).toContain(fingerprintOf(other.public));
    expect(error.advice).toContain("password");
  });

  it("logs in by password, and never tells it", async () => {
    expect(await attempt({ privateKey: other.private, password: "open sesame" })).toBe("in\n");
    const error = await failure({ privateKey: other.private, password: "open barley" });
    expect(error.code).toBe("login_refused");
    expect(error.advice).toContain("password");
    expect(error.message + error.advice).not.toContain("barley");
  });

  it.skipIf(spawnSync("ssh-add", ["-h"]).error !== undefined)("asks the agent", async () => {
    const socket = join(directory, "agent");
    const printed = execFileSync("ssh-agent", ["-a", socket], { encoding: "utf8" });
    const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(printed)?.[1]);
    const before = process.env.SSH_AUTH_SOCK;
    process.env.SSH_AUTH_SOCK = socket;
    try {
      const agentOnly = { privateKey: undefined, agent: true };
      expect((await failure(agentOnly)).advice).toContain("agent: it holds no key");
      const add = (key: string): void =>
        void execFileSync("ssh-add", ["-q", "-"], { input: key, stdio: ["pipe", "ignore", "ignore"] });
      add(other.private);
      expect((await failure(agentOnly)).advice).toContain(`${fingerprintOf(other.public)} (agent)`);
      add(host.privateKey);
      expect(await attempt(agentOnly)).toBe("in\n");
    } finally {
      if (before === undefined) delete process.env.SSH_AUTH_SOCK;
      else process.env.SSH_AUTH_SOCK = before;
      process.kill(pid);
    }
  });

  it("goes on without an agent that is not there", async () => {
    const before = process.env.SSH_AUTH_SOCK;
    process.env.SSH_AUTH_SOCK = join(directory, "no-agent");
    try {
      expect(await attempt({ agent: true, privateKey: undefined, password: "open sesame" })).toBe("in\n");
    } finally {
      if (before === undefined) delete process.env.SSH_AUTH_SOCK;
      else process.env.SSH_AUTH_SOCK = before;
    }
  });
});

describe("hosts that do not answer", () => {
  /** A port whose connections are handled by `listener`. */
  async function withPort<T>(
    listener: Parameters<typeof createServer>[1],
    use: (port: number) => Promise<T>,
  ): Promise<T> {
    const sockets = new Set<import("node:net").Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      listener?.(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      return await use((server.address() as AddressInfo).port);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  }

  it("gives up on one that accepts the connection and says nothing", async () => {
    await withPort(undefined, async (port) => {
      const begin = performance.now();
      const error = await failure({ port, connectTimeout: 1 });
      expect(error).toMatchObject({ code: "unreachable", hostDown: true, started: false });
      expect(error.message).toContain("did not answer while exchanging keys within 1 s");
      expect(performance.now() - begin).toBeLessThan(2500);
    });
  });

  it("gives up on one that greets and then says nothing", async () => {
    await withPort(
      (socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n"),
      async (port) => {
        expect(await failure({ port, connectTimeout: 1 })).toMatchObject({ code: "unreachable" });
      },
    );
  });

  it("tells a port that is not SSH's", async () => {
    await withPort(
      (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
      async (port) => {
        expect(await failure({ port, connectTimeout: 1 })).toMatchObject({ code: "unreachable" });
      },
    );
  });

  it("tells a closed port at once", async () => {
    const port = await withPort(undefined, async (free) => free);
    const begin = performance.now();
    expect(await failure({ port, connectTimeout: 20 })).toMatchObject({
      code: "unreachable",
      message: `127.0.0.1 port ${port} refused the connection`,
    });
    expect(performance.now() - begin).toBeLessThan(2000);
  });

  it("tries again where the connection is dropped before keys are exchanged", async () => {
    const proxy = await startFaultProxy(host.port, 2);
    try {
      expect(await attempt({ port: proxy.port })).toBe("in\n");
      expect(proxy.accepted()).toBe(3);
    } finally {
      await proxy.close();
    }
  });

  it("stops trying at the time limit", async () => {
    const proxy = await startFaultProxy(host.port, 1000);
    try {
      const error = await failure({ port: proxy.port, connectTimeout: 1 });
      expect(error).toMatchObject({
        code: "unreachable",
        message: expect.stringContaining("closed the connection"),
      });
      expect(proxy.accepted()).toBeGreaterThan(1);
    } finally {
      await proxy.close();
    }
  });

  it("is interrupted by the end of the run", async () => {
    await withPort(undefined, async (port) => {
      const pool = createSessionPool();
      const asked = pool.session(resolveLogin({ ...host.login, port, connectTimeout: 60 })).ask(script`true`);
      const caught = asked.catch((error: HostError) => error);
      await new Promise((later) => setTimeout(later, 50));
      await pool.close();
      expect(await caught).toMatchObject({ code: "closed", started: false });
    });
  });
});
