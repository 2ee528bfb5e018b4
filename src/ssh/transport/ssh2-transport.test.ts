import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { startDemoHost } from "../../demo/host/demo-host.ts";
import type { HostError } from "../host-error.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import { startFaultProxy } from "../testing/fault-proxy.ts";
import { transportContract } from "../testing/transport-contract.ts";
import { createSsh2Transport } from "./ssh2-transport.ts";
import { ChannelRefused } from "./transport.ts";

transportContract("ssh2", async () => {
  const host = await startDemoHost();
  return { transport: createSsh2Transport(), login: resolveLogin(host.login), close: host.close };
});

const never = new AbortController().signal;
const silent = { stdout() {}, stderr() {}, exit() {}, closed() {} };

it("tells a refused channel from a lost connection", async () => {
  const host = await startDemoHost({ maxSessions: 1 });
  const connection = await createSsh2Transport().connect(resolveLogin(host.login), never);
  await connection.open("sleep 5", silent);
  await expect(connection.open("true", silent)).rejects.toBeInstanceOf(ChannelRefused);
  host.drop();
  expect(await connection.ended).toMatchObject({ code: "lost" });
  await expect(connection.open("true", silent)).rejects.toMatchObject({ code: "lost" });
  await host.close();
});

it("has no more handshakes under way than allowed", async () => {
  const host = await startDemoHost();
  const proxy = await startFaultProxy(host.port);
  proxy.freeze();
  const transport = createSsh2Transport({ handshakes: 3 });
  const login = resolveLogin({ ...host.login, port: proxy.port });
  const connecting = Array.from({ length: 8 }, () => transport.connect(login, never));
  await new Promise((later) => setTimeout(later, 200));
  expect(proxy.accepted()).toBe(3);
  proxy.thaw();
  const connections = await Promise.all(connecting);
  expect(proxy.accepted()).toBe(8);
  await Promise.all(connections.map((connection) => connection.end()));
  await proxy.close();
  await host.close();
});

it("gives up on a channel that the host does not open", async () => {
  const host = await startDemoHost();
  const proxy = await startFaultProxy(host.port);
  const login = resolveLogin({ ...host.login, port: proxy.port, connectTimeout: 1, keepalive: 0 });
  const connection = await createSsh2Transport().connect(login, never);
  proxy.freeze();
  await expect(connection.open("true", silent)).rejects.toMatchObject({ code: "lost" });
  expect(await connection.ended).toMatchObject({
    message: expect.stringContaining("did not open a channel within 1 s"),
  });
  await proxy.close();
  await host.close();
});

it.each([
  ["Not allowed at this time\r\n", "it said: Not allowed at this time"],
  ["Exceeded MaxStartups\r\n", "it said: Exceeded MaxStartups"],
  ["busy \u001b[31mred\n", "it said: busy  [31mred"],
])("what a server says in place of SSH reaches the message: %j", async (line, reported) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(line);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const login = resolveLogin({ address: "127.0.0.1", port, agent: false, sshConfigFile: "none", retries: 0 });
  const error = await createSsh2Transport()
    .connect(login, new AbortController().signal)
    .then(
      () => expect.fail("this should have failed"),
      (failure: HostError) => failure,
    );
  server.close();
  expect(error.message).toContain(reported);
});
