/** A provider process's life, as OpenTofu drives it. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { method } from "./grpc-method.ts";
import { magicCookie } from "./handshake.ts";
import { getMetadata } from "./rpc/get-metadata.ts";
import { connectProvider } from "./testing/client.ts";
import { providerProcesses } from "./testing/process.ts";

const { program, directory, start } = providerProcesses();
const typeName = "conn3x_note";

describe("started by hand", () => {
  it("says what it is, and exits with 1", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program()], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("Conn3x's provider for OpenTofu and Terraform, version test");
  });
});

describe("started where there is no Node", () => {
  it("says so in the line that engines show", () => {
    const { status, stdout } = spawnSync(program(), { env: { PATH: directory() }, encoding: "utf8" });
    expect([status, stdout]).toEqual([
      127,
      "Conn3x's provider needs Node.js 20 or newer, and there is no node on the PATH\n",
    ]);
    const { PATH } = process.env;
    expect(spawnSync(program(), { env: { PATH }, encoding: "utf8" }).stderr).toContain("version test");
  });
});

describe("the handshake", () => {
  it("announces a socket in a directory of our own and a certificate", async () => {
    const { line, socketPath } = await start();
    expect(line).toMatch(/^1\|6\|unix\|\/.*\/provider\.sock\|grpc\|[A-Za-z0-9+/]{300,}$/);
    expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700);
  });

  it("lets in nobody without the announced client certificate", async () => {
    const { socketPath } = await start();
    const plain = connectProvider(socketPath);
    await expect(plain.call(getMetadata, {})).rejects.toThrow(/UNAVAILABLE|DEADLINE/);
    plain.close();
    const impostor = await start({ impostor: true });
    await expect(impostor.client.call(getMetadata, {})).rejects.toThrow(/UNAVAILABLE/);
  });

  it("serves without TLS a client that offers no certificate", async () => {
    const { line, client } = await start({ plain: true });
    expect(line).toMatch(/\|grpc\|$/);
    expect((await client.call(getMetadata, {})).resources).toEqual([{ typeName }]);
  });

  it("lets a client that speaks other versions only find out itself", async () => {
    const { line, stderr } = await start({ environment: { PLUGIN_PROTOCOL_VERSIONS: "4,5" } });
    expect(line).toMatch(/^1\|6\|/);
    expect(stderr()).toContain("it is too old");
  });

  it("puts the socket where the client wants it, and into /tmp when the path would be too long", async () => {
    const wanted = await start({ environment: { PLUGIN_UNIX_SOCKET_DIR: directory() } });
    expect(wanted.socketPath.startsWith(`${directory()}/`)).toBe(true);
    const long = await start({ environment: { TMPDIR: `/tmp/${"x".repeat(100)}` } });
    expect(long.socketPath).toMatch(/^\/tmp\/conn3x-/);
  });

  it("puts the socket elsewhere where the directory for temporary files is missing", async () => {
    const { socketPath } = await start({ environment: { TMPDIR: join(directory(), "missing") } });
    expect(socketPath).toMatch(/^\/tmp\/conn3x-/);
  });
});

describe("the end", () => {
  it("comes when the client asks for it, and leaves nothing", async () => {
    const { client, exited, socketPath, stderr } = await start();
    // As go-plugin's client: two streams held open.
    const asItIs = (bytes: Buffer) => bytes;
    const broker = method("plugin.GRPCBroker", "StartStream").path;
    const stdio = method("plugin.GRPCStdio", "StreamStdio").path;
    const streams = [
      client.grpc.makeBidiStreamRequest(broker, asItIs, asItIs),
      client.grpc.makeServerStreamRequest(stdio, asItIs, asItIs, Buffer.alloc(0)),
    ];
    for (const stream of streams) stream.on("error", () => undefined).resume();
    await client.call(getMetadata, {});
    const asked = performance.now();
    await client.raw("/plugin.GRPCController/Shutdown");
    expect(await exited).toBe(0);
    // After two seconds go-plugin kills.
    expect(performance.now() - asked).toBeLessThan(1500);
    expect(existsSync(dirname(socketPath))).toBe(false);
    expect(stderr()).toBe("");
  });

  it("comes with SIGTERM, not with SIGINT", async () => {
    const { process, client, exited, socketPath } = await start();
    process.kill("SIGINT");
    expect((await client.call(getMetadata, {})).resources).toHaveLength(1);
    process.kill("SIGTERM");
    expect(await exited).toBe(143);
    expect(existsSync(dirname(socketPath))).toBe(false);
  });

  it("by SIGKILL leaves a directory, which the next process removes", async () => {
    const environment = { TMPDIR: directory() };
    const { process, exited, socketPath } = await start({ environment });
    const running = await start({ environment });
    process.kill("SIGKILL");
    await exited;
    expect(existsSync(dirname(socketPath))).toBe(true);
    await start({ environment });
    expect(existsSync(dirname(socketPath))).toBe(false);
    expect(existsSync(running.socketPath)).toBe(true);
  });

  it("comes when the program that started it is gone", async () => {
    // A shell that starts it and ends when its own input does.
    const shell = spawn("sh", ["-c", '"$0" "$1" & read -r line', process.execPath, program()], {
      env: { ...process.env, [magicCookie.name]: magicCookie.value, PLUGIN_PROTOCOL_VERSIONS: "6" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const line = await new Promise<string>((resolve) =>
      shell.stdout.once("data", (data) => resolve(`${data}`)),
    );
    const directory = dirname(line.split("|")[3]!);
    expect(existsSync(directory)).toBe(true);
    // The output ends when its last writer has ended.
    const ended = new Promise((resolve) => shell.on("close", resolve));
    shell.stdin.end();
    await ended;
    expect(existsSync(directory)).toBe(false);
  });
});

describe("go-plugin's services", () => {
  it("is healthy under go-plugin's name for it", async () => {
    const { client } = await start();
    const check = (service: string) =>
      client.raw(
        "/grpc.health.v1.Health/Check",
        Buffer.concat([Buffer.from([0x0a, service.length]), Buffer.from(service)]),
      );
    // status = SERVING
    expect((await check("plugin")).toString("hex")).toBe("0801");
    await expect(check("other")).rejects.toThrow(/NOT_FOUND/);
  });

  it("does not implement what it does not know, and says so in the way that core looks for", async () => {
    const { client } = await start();
    await expect(client.raw("/tfplugin6.Provider/GetResourceIdentitySchemas")).rejects.toThrow(
      /UNIMPLEMENTED/,
    );
  });
});
