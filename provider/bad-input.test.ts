/**
 * What nobody should send and a provider must survive: every wrong request is answered with a diagnostic that names the
 * attribute where there is one, and whatever comes on the socket harms nobody else. The provider is the real one.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { providerSchema } from "../src/core/create-provider.ts";
import { schemaType } from "../src/schema/schema.ts";
import { encodeMsgpack } from "../src/values/msgpack/msgpack.ts";
import { fromPlain, type PlainObject } from "../src/values/plain.ts";
import { dynamicType } from "../src/values/type.ts";
import { nullValue, Unknown } from "../src/values/value.ts";
import { magicCookie } from "./handshake.ts";
import { applyResourceChange } from "./rpc/apply-resource-change.ts";
import { configureProvider } from "./rpc/configure-provider.ts";
import { getMetadata } from "./rpc/get-metadata.ts";
import { getProviderSchema } from "./rpc/get-provider-schema.ts";
import { importResourceState } from "./rpc/import-resource-state.ts";
import { planResourceChange } from "./rpc/plan-resource-change.ts";
import { readResource } from "./rpc/read-resource.ts";
import { upgradeResourceState } from "./rpc/upgrade-resource-state.ts";
import { validateProviderConfig } from "./rpc/validate-provider-config.ts";
import { validateResourceConfig } from "./rpc/validate-resource-config.ts";
import { connectProvider } from "./testing/client.ts";
import { providerProcesses } from "./testing/process.ts";
import type { WireDiagnostic } from "./wire/messages.ts";
import { toWireValue } from "./wire/values.ts";

const { program, directory, start } = providerProcesses("provider/main.ts");

const typeName = "conn3x_file";
const type = schemaType(providerSchema.resources.get(typeName)!);
const none = new Uint8Array();
const nothing = toWireValue(nullValue(type), type);
const file = (settings: PlainObject) =>
  toWireValue(fromPlain({ ssh: { address: "192.0.2.1" }, ...settings }, type), type);
/** An object that has other types than the schema says. */
const misfit = (settings: PlainObject) => {
  const right = fromPlain({ path: "/srv/a", ssh: { address: "192.0.2.1" } }, type);
  const fields = new Map(right.data as ReadonlyMap<string, ReturnType<typeof fromPlain>>);
  for (const [name, value] of Object.entries(settings)) fields.set(name, fromPlain(value, dynamicType));
  // By shape, as a faulty engine would send it: each attribute without its declared type.
  const entries = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const body = entries.flatMap(([name, value]) => [
    Buffer.from([0xa0 + name.length]),
    Buffer.from(name),
    encodeMsgpack(
      value,
      name in settings ? value.type : type.kind === "object" ? type.attributes[name]! : type,
    ),
  ]);
  return { msgpack: Buffer.concat([Buffer.from([0xde, 0, entries.length]), ...body]), json: none };
};

/** `summary @ attribute` */
const shown = (diagnostics: readonly WireDiagnostic[]) =>
  diagnostics.map(({ summary, attribute }) => {
    const steps = attribute?.steps.map(
      ({ attributeName, elementKeyString, elementKeyInt }) =>
        attributeName ?? elementKeyString ?? String(elementKeyInt),
    );
    return steps === undefined ? summary : `${summary} @ ${steps.join(".")}`;
  });

it("goes on when ^C comes while it still loads", async () => {
  // Loaded before the program: ^C comes when the first of the libraries is looked for.
  const preload = join(directory(), "interrupt.cjs");
  writeFileSync(
    preload,
    `const Module = require("node:module");
const load = Module._load;
Module._load = function (name, ...more) {
  if (/http2$/.test(name)) process.kill(process.pid, "SIGINT");
  return load.call(this, name, ...more);
};
`,
  );
  const { client } = await start({ environment: { NODE_OPTIONS: `--require ${preload}` } });
  expect((await client.call(getMetadata, {})).diagnostics).toEqual([]);
});

describe("an unknown resource type", () => {
  it("is said by every call about resources", async () => {
    const { client } = await start();
    const wrong = { typeName: "conn3x_nope" };
    const answers: readonly (readonly WireDiagnostic[])[] = [
      (
        await client.call(validateResourceConfig, {
          ...wrong,
          clientCapabilities: undefined,
          config: nothing,
        })
      ).diagnostics,
      (
        await client.call(upgradeResourceState, {
          ...wrong,
          version: 0,
          rawState: { json: Buffer.from("{}") },
        })
      ).diagnostics,
      (await client.call(readResource, { ...wrong, currentState: nothing, private: none })).diagnostics,
      (
        await client.call(planResourceChange, {
          ...wrong,
          priorState: nothing,
          config: nothing,
          priorPrivate: none,
        })
      ).diagnostics,
      (
        await client.call(applyResourceChange, {
          ...wrong,
          priorState: nothing,
          plannedState: nothing,
          config: nothing,
          plannedPrivate: none,
        })
      ).diagnostics,
      (await client.call(importResourceState, { ...wrong, id: "web/one:/srv/a" })).diagnostics,
    ];
    for (const diagnostics of answers) {
      expect(diagnostics).toHaveLength(1);
      expect(diagnostics[0]?.severity).toBe(1);
      expect(`${diagnostics[0]?.summary} ${diagnostics[0]?.detail}`).toContain("conn3x_nope");
    }
  });
});

describe("a value that is not what it should be", () => {
  it("of another type names its attribute", async () => {
    const { client } = await start();
    const answer = await client.call(validateResourceConfig, {
      clientCapabilities: undefined,
      typeName,
      config: misfit({ content: ["a list"] }),
    });
    expect(shown(answer.diagnostics)).toEqual(["Value cannot be used @ content"]);
    const planned = await client.call(planResourceChange, {
      typeName,
      priorState: nothing,
      config: misfit({ ssh: "no block" }),
      priorPrivate: none,
    });
    expect(shown(planned.diagnostics)).toEqual(["Value cannot be used @ ssh"]);
  });

  it("and unknown, where a host is to be asked or acted on, names its attribute", async () => {
    const { client } = await start();
    const unknown = file({ path: "/srv/a", content: new Unknown() });
    const read = await client.call(readResource, { typeName, currentState: unknown, private: none });
    expect(shown(read.diagnostics)).toEqual(["Value cannot be used @ content"]);
    const deep = file({ path: "/srv/a", content: "a", ssh: { address: new Unknown() } });
    const applied = await client.call(applyResourceChange, {
      typeName,
      priorState: nothing,
      plannedState: deep,
      config: deep,
      plannedPrivate: none,
    });
    expect(shown(applied.diagnostics)).toEqual(["Value cannot be used @ ssh.address"]);
    expect(applied.newState).toBeUndefined();
    const planned = await client.call(planResourceChange, {
      typeName,
      priorState: unknown,
      config: file({ path: "/srv/a" }),
      priorPrivate: none,
    });
    expect(shown(planned.diagnostics)).toEqual(["Value cannot be used @ content"]);
    // In a configuration that is planned or validated anything may be unknown.
    const valid = await client.call(validateResourceConfig, {
      clientCapabilities: undefined,
      typeName,
      config: deep,
    });
    expect(valid.diagnostics).toEqual([]);
  });

  it("and wrong by the kind's own rules names its attribute", async () => {
    const { client } = await start();
    const { diagnostics } = await client.call(validateResourceConfig, {
      clientCapabilities: undefined,
      typeName,
      config: file({ path: "relative", mode: "999" }),
    });
    expect(
      shown(diagnostics)
        .map((text) => text.replace(/.* @ /, ""))
        .sort(),
    ).toEqual(["mode", "path"]);
  });

  it("is said of the provider's own configuration as well", async () => {
    const { client } = await start();
    const config = { msgpack: Buffer.from("81a3737368a178", "hex"), json: none };
    for (const answer of [
      (await client.call(validateProviderConfig, { config })).diagnostics,
      (await client.call(configureProvider, { engineVersion: "1.12.6", config })).diagnostics,
    ]) {
      expect(answer).toHaveLength(1);
      expect(answer[0]?.severity).toBe(1);
    }
  });
});

describe("a stored object", () => {
  const upgrade = async (version: number, json: string) => {
    const { client } = await start();
    const { diagnostics, upgradedState } = await client.call(upgradeResourceState, {
      typeName,
      version,
      rawState: { json: Buffer.from(json) },
    });
    expect(upgradedState).toBeUndefined();
    return diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join();
  };

  it("of a later version, of no form, or of another type is refused", async () => {
    expect(await upgrade(99, "{}")).toContain("newer Conn3x (schema version 99");
    expect(await upgrade(0, "{")).toContain("It is not JSON");
    expect(await upgrade(0, "[]")).toContain("It is no object");
    expect(await upgrade(0, '{"content": ["a"]}')).toContain("content");
    expect(await upgrade(0, "")).toContain(typeName);
  });
});

describe("what comes on the socket", () => {
  const send = (path: string, bytes: Buffer) =>
    new Promise<void>((resolve) => {
      const socket = connect(path, () => socket.write(bytes));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve());
      setTimeout(() => socket.destroy(), 300);
    });
  const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

  it.each([
    ["with TLS", {}],
    ["without", { plain: true }],
  ])("garbage and broken-off messages end their own connection only, %s", async (_, options) => {
    const provider = await start(options);
    const { client, socketPath } = provider;
    await client.call(getMetadata, {});
    await send(socketPath, Buffer.alloc(0));
    await send(socketPath, Buffer.from("GET / HTTP/1.1\r\n\r\n"));
    await send(socketPath, Buffer.alloc(100_000, 0xff));
    await send(socketPath, preface.subarray(0, 10));
    // A frame that says to be longer than it is, and one of a kind that there is not.
    await send(socketPath, Buffer.concat([preface, Buffer.from("000fff000100000001", "hex")]));
    await send(socketPath, Buffer.concat([preface, Buffer.from("000001ee000000000000", "hex")]));
    expect((await client.call(getMetadata, {})).resources.length).toBeGreaterThan(10);
    expect(provider.process.exitCode).toBeNull();
  });

  it("a message of no form is answered by every call", async () => {
    const { client } = await start();
    for (const { name } of [validateResourceConfig, readResource, planResourceChange, applyResourceChange]) {
      const answer = await client.raw(`/tfplugin6.Provider/${name}`, Buffer.from("0aff", "hex"));
      expect(answer.toString("utf8"), name).toContain("Conn3x has a defect");
    }
    expect((await client.call(getProviderSchema, {})).diagnostics).toEqual([]);
  });

  it("a call that is given up harms no other", async () => {
    const { client } = await start();
    const asItIs = (bytes: Buffer) => bytes;
    // A host that takes connections and says nothing.
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as AddressInfo;
    const request = planResourceChange.request.encode({
      typeName,
      priorState: nothing,
      config: file({
        path: "/srv/a",
        content: "a",
        ssh: { address: "127.0.0.1", port, connect_timeout: 30 },
      }),
      priorPrivate: none,
    });
    const ended = new Promise<string>((resolve) => {
      const call = client.grpc.makeUnaryRequest(
        `/tfplugin6.Provider/${planResourceChange.name}`,
        asItIs,
        asItIs,
        request,
        (error) => resolve(error?.details ?? "answered"),
      );
      setTimeout(() => call.cancel(), 200);
    });
    expect(await ended).toMatch(/cancel/i);
    expect((await client.call(getMetadata, {})).resources.length).toBeGreaterThan(10);
  });

  it("two clients have a provider each, and one that leaves does not take the other's along", async () => {
    const { client, socketPath } = await start({ plain: true });
    const other = connectProvider(socketPath);
    const config = file({ path: "/srv/a", content: "a" });
    expect(
      (await other.call(validateResourceConfig, { clientCapabilities: undefined, typeName, config }))
        .diagnostics,
    ).toEqual([]);
    expect(
      (await client.call(validateResourceConfig, { clientCapabilities: undefined, typeName, config }))
        .diagnostics,
    ).toEqual([]);
    other.close();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(
      (await client.call(validateResourceConfig, { clientCapabilities: undefined, typeName, config }))
        .diagnostics,
    ).toEqual([]);
  });
});

describe("the process", () => {
  it("does not mind that its standard input ends, nor that nobody reads what it says", async () => {
    const child = spawn(process.execPath, [program()], {
      env: { ...process.env, [magicCookie.name]: magicCookie.value, PLUGIN_PROTOCOL_VERSIONS: "6" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const exited = new Promise((resolve) => child.on("exit", resolve));
    const line = await new Promise<string>((resolve) =>
      child.stdout.once("data", (data) => resolve(`${data}`)),
    );
    const socketPath = line.split("|")[3]!;
    child.stdin.end();
    child.stdout.destroy();
    child.stderr.destroy();
    const client = connectProvider(socketPath);
    // It has something to log.
    await client.raw("/tfplugin6.Provider/ReadResource", Buffer.from("0aff", "hex"));
    expect((await client.call(getMetadata, {})).resources.length).toBeGreaterThan(10);
    await client.raw("/plugin.GRPCController/Shutdown");
    client.close();
    expect(await exited).toBe(0);
  });
});
