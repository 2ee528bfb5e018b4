import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import { script } from "../../script/script.ts";
import type { HostError } from "../host-error.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import { createSessionPool } from "../session-pool.ts";
import { type ContractHost, transportContract } from "../testing/transport-contract.ts";
import { createTransport } from "./choose-transport.ts";
import { createLocalTransport } from "./local-transport.ts";
import { createOpensshTransport } from "./openssh-transport.ts";

transportContract("local", async () => ({
  transport: createLocalTransport(),
  login: resolveLogin({ address: "localhost", transport: "local" }),
  close: async () => {},
}));

async function opensshHost(): Promise<ContractHost> {
  const host = await startDemoHost();
  const directory = await mkdtemp(join(tmpdir(), "conn3x-openssh-"));
  const privateKeyFile = join(directory, "key");
  await writeFile(privateKeyFile, host.privateKey, { mode: 0o600 });
  const { privateKey: _text, ...login } = host.login;
  return {
    transport: createOpensshTransport(),
    login: resolveLogin({ ...login, privateKeyFile, transport: "openssh", sshConfigFile: "none" }),
    async close() {
      await host.close();
      await rm(directory, { recursive: true });
    },
  };
}

describe.skipIf(spawnSync("ssh", ["-V"]).error !== undefined)("with the system's ssh", () => {
  transportContract("openssh", opensshHost, { exitWithStreams: true, signals: false });

  it("does what a session needs: facts, commands, files; and notices the loss", async () => {
    const host = await opensshHost();
    const pool = createSessionPool();
    const session = pool.session({ ...host.login, connectTimeout: 20 });
    expect((await session.ask(script`echo in`)).stdout.toString()).toBe("in\n");
    const run = await session.run({ script: "cat; exit 3", stdin: Buffer.from("x\0y") });
    expect([run.status, run.stdout.toString()]).toEqual([3, "x\0y"]);
    await pool.close();
    await host.close();
  });

  it("tells refused logins and keys apart", async () => {
    const host = await opensshHost();
    const failure = (changes: object): Promise<HostError> =>
      host.transport.connect({ ...host.login, ...changes }, new AbortController().signal).then(
        () => expect.fail("this should have failed"),
        (error: HostError) => error,
      );
    const other = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIe50CaxqwFPkXASXUuHdYV2p1r3zK285Edg7XXBnUx6";
    expect(await failure({ hostKey: other })).toMatchObject({ code: "host_key_changed" });
    expect(await failure({ hostKey: undefined, knownHostsFile: "/nothing", defaulted: [] })).toMatchObject({
      code: "host_key_unknown",
    });
    expect(await failure({ privateKeyFile: "/no/such/key" })).toMatchObject({ code: "login_refused" });
    expect(await failure({ port: 1, defaulted: [] })).toMatchObject({ code: "unreachable" });
    expect(await failure({ privateKey: "x" })).toMatchObject({ code: "login_settings" });
    await host.close();
  });
});

describe("an address", () => {
  it.each([
    ["deploy@web1", 'Set user = "deploy" and address = "web1".'],
    ["web1:2222", 'Set port = 2222 and address = "web1".'],
    ["[2001:db8::1]:2222", 'Set port = 2222 and address = "2001:db8::1".'],
    ["[2001:db8::1]", 'Set address = "2001:db8::1".'],
    ["ssh://web1", "Set address to the host name in it, and port and user where they differ."],
    ["", "Set address to a host name or IP address."],
  ])("that holds more than one is refused with what to set: %s", async (address, advice) => {
    const work = createTransport().connect(resolveLogin({ address }), new AbortController().signal);
    await expect(work).rejects.toMatchObject({ code: "login_settings", advice });
  });
});
