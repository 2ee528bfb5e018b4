/** Every call of the protocol, made as OpenTofu makes it, to a provider process. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { schemaType } from "../src/schema/schema.ts";
import { fromPlain, type Plain, toPlain } from "../src/values/plain.ts";
import { nullValue } from "../src/values/value.ts";
import { applyResourceChange } from "./rpc/apply-resource-change.ts";
import { callFunction } from "./rpc/call-function.ts";
import { configureProvider } from "./rpc/configure-provider.ts";
import { getFunctions } from "./rpc/get-functions.ts";
import { getMetadata } from "./rpc/get-metadata.ts";
import { getProviderSchema } from "./rpc/get-provider-schema.ts";
import { importResourceState } from "./rpc/import-resource-state.ts";
import { moveResourceState } from "./rpc/move-resource-state.ts";
import { planResourceChange } from "./rpc/plan-resource-change.ts";
import { readDataSource } from "./rpc/read-data-source.ts";
import { readResource } from "./rpc/read-resource.ts";
import { stopProvider } from "./rpc/stop-provider.ts";
import { upgradeResourceState } from "./rpc/upgrade-resource-state.ts";
import { validateDataResourceConfig } from "./rpc/validate-data-resource-config.ts";
import { validateProviderConfig } from "./rpc/validate-provider-config.ts";
import { validateResourceConfig } from "./rpc/validate-resource-config.ts";
import { createMemoryProvider } from "./testing/memory-provider.ts";
import { providerProcesses } from "./testing/process.ts";
import { fromWireValue, toWireValue } from "./wire/values.ts";

const { directory, start } = providerProcesses();

const { schema } = createMemoryProvider("/dev/null");
const noteType = schemaType(schema.resources.get("conn3x_note")!);
const providerType = schemaType(schema.provider);
const typeName = "conn3x_note";
const none = new Uint8Array();
const wireNote = (note: { [name: string]: Plain }) => toWireValue(fromPlain(note, noteType), noteType);
const noNote = toWireValue(nullValue(noteType), noteType);

describe("the schema", () => {
  it("is sent with every flag", async () => {
    const { client } = await start();
    const { resources, provider, capabilities, diagnostics } = await client.call(getProviderSchema, {});
    expect(diagnostics).toEqual([]);
    expect(capabilities).toEqual({
      planDestroy: true,
      getProviderSchemaOptional: true,
      moveResourceState: true,
    });
    expect(provider?.block?.attributes.map(({ name }) => name)).toEqual(["prefix"]);
    const note = resources.get(typeName)!;
    expect(note.version).toBe(1);
    const byName = new Map(note.block!.attributes.map((attribute) => [attribute.name, attribute]));
    expect(byName.get("name")).toMatchObject({ required: true, optional: false, computed: false });
    expect(byName.get("secret")).toMatchObject({ optional: true, sensitive: true });
    expect(byName.get("revision")).toMatchObject({ optional: false, computed: true });
    expect(Buffer.from(byName.get("labels")!.type).toString()).toBe('["map","string"]');
    expect(Buffer.from(byName.get("triggers")!.type).toString()).toBe('"dynamic"');
    expect(note.block!.blocks).toMatchObject([{ typeName: "place", nesting: 1 }]);
  });
});

describe("a resource's life", () => {
  it("is planned, created, read, upgraded, imported and deleted", async () => {
    const { client } = await start({ environment: { CONN3X_MEMORY_HOST: join(directory(), "life.json") } });
    await client.call(configureProvider, {
      engineVersion: "1.12.6",
      config: toWireValue(fromPlain({ prefix: null }, providerType), providerType),
    });
    const config = wireNote({ name: "a", text: "hello", triggers: ["r", { x: 1 }], weight: 2n ** 60n + 1n });
    const planned = await client.call(planResourceChange, {
      typeName,
      priorState: noNote,
      config,
      priorPrivate: none,
    });
    expect(planned.diagnostics).toEqual([]);
    const created = await client.call(applyResourceChange, {
      typeName,
      priorState: noNote,
      plannedState: planned.plannedState,
      config,
      plannedPrivate: planned.plannedPrivate,
    });
    expect(created.diagnostics).toEqual([]);
    const note = toPlain(fromWireValue(created.newState, noteType)) as { [name: string]: Plain };
    expect(note).toMatchObject({ name: "a", length: 5, triggers: ["r", { x: 1 }], weight: 2n ** 60n + 1n });
    expect(note.revision).toMatch(/^[0-9a-f]{16}$/);

    const read = await client.call(readResource, {
      typeName,
      currentState: created.newState,
      private: created.private,
    });
    expect(toPlain(fromWireValue(read.newState, noteType))).toEqual(note);

    const json = JSON.stringify({
      ...note,
      weight: "@",
      triggers: { value: ["r", { x: 1 }], type: triggersType },
    });
    const upgraded = await client.call(upgradeResourceState, {
      typeName,
      version: 1,
      rawState: { json: Buffer.from(json.replace('"@"', String(2n ** 60n + 1n))) },
    });
    expect(upgraded.diagnostics).toEqual([]);
    expect(toPlain(fromWireValue(upgraded.upgradedState, noteType))).toEqual(note);

    const imported = await client.call(importResourceState, { typeName, id: "a" });
    expect(toPlain(fromWireValue(imported.importedResources[0]?.state, noteType))).toEqual(note);

    const destroyed = await client.call(planResourceChange, {
      typeName,
      priorState: created.newState,
      config: noNote,
      priorPrivate: created.private,
    });
    expect(fromWireValue(destroyed.plannedState, noteType).data).toBeNull();
    const deleted = await client.call(applyResourceChange, {
      typeName,
      priorState: created.newState,
      plannedState: destroyed.plannedState,
      config: noNote,
      plannedPrivate: none,
    });
    expect(fromWireValue(deleted.newState, noteType).data).toBeNull();
    const gone = await client.call(readResource, { typeName, currentState: created.newState, private: none });
    expect(fromWireValue(gone.newState, noteType).data).toBeNull();
  });

  it("names the attribute that is wrong, and the one that forces a replacement", async () => {
    const { client } = await start();
    const { diagnostics } = await client.call(validateResourceConfig, {
      clientCapabilities: undefined,
      typeName,
      config: wireNote({ name: "a", text: "invalid" }),
    });
    expect(diagnostics).toMatchObject([
      { severity: 1, summary: "Invalid text", attribute: { steps: [{ attributeName: "text" }] } },
    ]);
    const { requiresReplace } = await client.call(planResourceChange, {
      typeName,
      priorState: wireNote({ name: "a", length: 0, revision: "0" }),
      config: wireNote({ name: "b" }),
      priorPrivate: none,
    });
    expect(requiresReplace).toMatchObject([{ steps: [{ attributeName: "name" }] }]);
  });

  it("carries messages of more than 64 MiB both ways", async () => {
    const { client } = await start();
    const text = "x".repeat(65 * 1024 * 1024);
    const { plannedState } = await client.call(planResourceChange, {
      typeName,
      priorState: noNote,
      config: wireNote({ name: "big", text }),
      priorPrivate: none,
    });
    const planned = fromWireValue(plannedState, noteType).data as ReadonlyMap<string, { data: unknown }>;
    expect((planned.get("text")!.data as string).length).toBe(text.length);
  });
});

const triggersType = ["tuple", ["string", ["object", { x: "number" }]]];

describe("what goes wrong inside", () => {
  it("becomes a diagnostic that says which call and what", async () => {
    const { client } = await start();
    const config = wireNote({ name: "a", text: "throw in validate" });
    const { diagnostics } = await client.call(validateResourceConfig, {
      clientCapabilities: undefined,
      typeName,
      config,
    });
    expect(diagnostics).toMatchObject([{ severity: 1, summary: "Conn3x has a defect" }]);
    expect(diagnostics[0]?.detail).toMatch(/while answering ValidateResourceConfig: TypeError at \w+/);
    expect(diagnostics[0]?.detail).not.toContain("asked to");
    // And the process goes on.
    expect((await client.call(getMetadata, {})).resources).toHaveLength(1);
  });

  it("is answered also when the request is not a message, or a value not of its type", async () => {
    const { client } = await start();
    const garbage = await client.raw("/tfplugin6.Provider/ReadResource", Buffer.from("ff", "hex"));
    expect(readResource.response.decode(garbage).diagnostics[0]?.detail).toContain("ends too early");
    const { diagnostics } = await client.call(validateResourceConfig, {
      clientCapabilities: undefined,
      typeName,
      config: { msgpack: Buffer.from("81a161c0", "hex"), json: none },
    });
    expect(diagnostics[0]?.detail).toContain("object with 10 attributes is required");
    const unknown = await client.call(readResource, {
      typeName: "conn3x_x",
      currentState: noNote,
      private: none,
    });
    expect(unknown.diagnostics[0]?.detail).toContain('there is no resource type "conn3x_x"');
  });

  it("fails the waiting call when an event threw that no call caught", async () => {
    const { client } = await start();
    const config = wireNote({ name: "a", text: "throw outside of a call" });
    const request = { typeName, priorState: noNote, plannedState: config, config, plannedPrivate: none };
    const { diagnostics, newState } = await client.call(applyResourceChange, request);
    expect(diagnostics[0]?.detail).toContain("RangeError at ");
    expect(diagnostics[0]?.detail).not.toContain("nobody catches");
    expect(newState).toBeUndefined();
    expect((await client.call(getMetadata, {})).resources).toHaveLength(1);
  });
});

describe("StopProvider", () => {
  it("lets what is in flight end by itself", async () => {
    const { client } = await start();
    const config = wireNote({ name: "a", text: "wait for the stop" });
    const request = { typeName, priorState: noNote, plannedState: config, config, plannedPrivate: none };
    const applied = client.call(applyResourceChange, request);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await client.call(stopProvider, {})).toEqual({ error: "" });
    expect((await applied).diagnostics).toMatchObject([{ summary: "Stopped" }]);
  });
});

describe("what there is none of", () => {
  it("is answered in the way of each call", async () => {
    const { client } = await start();
    expect(await client.call(getFunctions, {})).toEqual({ diagnostics: [] });
    expect((await client.call(callFunction, { name: "f" })).error?.text).toContain('no function "f"');
    const data = { typeName: "conn3x_d" };
    expect((await client.call(readDataSource, data)).diagnostics[0]?.summary).toContain("conn3x_d");
    expect((await client.call(validateDataResourceConfig, data)).diagnostics[0]?.severity).toBe(1);
    const move = { sourceTypeName: "conn3x_file", targetTypeName: typeName };
    expect((await client.call(moveResourceState, move)).diagnostics[0]?.summary).toBe(
      "A conn3x_file cannot become a conn3x_note",
    );
  });
});

describe("the provider's configuration", () => {
  it("is validated, also while it is unknown", async () => {
    const { client } = await start();
    const validate = async (prefix: string) => {
      const config = {
        msgpack: Buffer.from(`81a6${Buffer.from("prefix").toString("hex")}${prefix}`, "hex"),
        json: none,
      };
      return (await client.call(validateProviderConfig, { config })).diagnostics;
    };
    expect(await validate("d40000")).toEqual([]);
    expect(await validate("a3626164")).toMatchObject([{ summary: "Bad prefix" }]);
  });
});
