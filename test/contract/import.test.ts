/**
 * Taking over what is on a host: nothing is replaced by it, and no handler runs because of it alone.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../src/core/create-provider.ts";
import type { Provider } from "../../src/core/provider.ts";
import { type DemoHost, startDemoHost } from "../../src/demo/host/demo-host.ts";
import { createDriver } from "../../src/kind/testing/harness.ts";
import { sshBlock } from "../../src/login/index.ts";
import { schemaType } from "../../src/schema/schema.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import { fromPlain, type PlainObject, toPlain } from "../../src/values/plain.ts";
import { isWhollyKnown } from "../../src/values/walk.ts";

let host: DemoHost;
let provider: Provider;
let ssh: PlainObject;

beforeAll(async () => {
  host = await startDemoHost({ units: ["web.service"] });
  const key = join(host.root, "login-key");
  writeFileSync(key, host.privateKey, { mode: 0o600 });
  mkdirSync(join(host.root, "a b:c"), { mode: 0o750 });
  writeFileSync(join(host.root, "a b:c/file"), "content\n", { mode: 0o640 });
  symlinkSync("file", join(host.root, "a b:c/link"));
  provider = createProvider({ sessions: createSessionPool() });
  const defaults = { private_key_file: key, host_key: host.hostKey, agent: false };
  const logins = { "here/one": { address: host.address, user: host.user }, "secret/web1": { password: "x" } };
  const settings = { ssh: { ...defaults, port: host.port }, circuit_logins: logins };
  provider.configure(fromPlain(settings, schemaType(provider.schema.provider)));
  ssh = { address: host.address, port: host.port, user: host.user };
});
afterAll(async () => {
  await provider.close();
  await host.close();
});

const idOf = (identity: string) => `ssh://${host.user}@${host.address}:${host.port}${identity}`;

describe("import", () => {
  test("from a circuit's host: by the login that an engine knows, or by the provider's entry for it", async () => {
    const path = join(host.root, "a b:c/file");
    const login = fromPlain({ ...ssh, bastion: [] }, schemaType(sshBlock));
    for (const [id, known] of [
      [`web/web1:${path}`, login],
      [`here/one:${path}`, undefined],
    ] as const) {
      const { imported, diagnostics } = await provider.importResource("conn3x_file", id, known);
      expect(diagnostics).toEqual([]);
      expect(toPlain(imported[0]!.state)).toMatchObject({ path, content: "content\n" });
      const read = await createDriver(provider, "conn3x_file").read(imported[0]!);
      expect(toPlain(read.state)).toMatchObject({ path });
    }
  });

  test.each<[string, () => string, () => PlainObject]>([
    [
      "file",
      () => join(host.root, "a b:c/file"),
      () => ({ path: join(host.root, "a b:c/file"), content: "content\n" }),
    ],
    ["directory", () => join(host.root, "a b:c"), () => ({ path: join(host.root, "a b:c"), mode: "0750" })],
    [
      "link",
      () => join(host.root, "a b:c/link"),
      () => ({ path: join(host.root, "a b:c/link"), target: "file" }),
    ],
    ["service", () => "/web", () => ({ name: "web", running: false })],
  ])("a %s, and nothing is to be done", async (kind, identity, settings) => {
    const type = `conn3x_${kind}`;
    const { imported, diagnostics } = await provider.importResource(type, idOf(identity()));
    expect(diagnostics).toEqual([]);
    const [instance] = imported;
    expect(isWhollyKnown(instance!.state)).toBe(true);
    expect(toPlain(instance!.state)).toMatchObject({
      ...settings(),
      revision: expect.stringMatching(/^[0-9a-f]{16}$/),
    });

    const driver = createDriver(provider, type);
    const read = await driver.read(instance!);
    expect((await driver.plan(read, { ...settings(), ssh })).decision).toMatchObject({ action: "none" });
    // What was there before is kept when it is not wanted any more.
    await driver.apply(read, undefined);
    expect(spawnSync("ls", [join(host.root, "a b:c/file")]).status).toBe(0);
  });

  test.each<[string, Buffer, PlainObject]>([
    ["text", Buffer.from("a\0b\n"), { content: "a\0b\n" }],
    ["what is no UTF-8", Buffer.from([0xff, 0, 0x78]), { content_base64: "/wB4" }],
    // e and a combining acute accent: engines make one character of them.
    ["text that engines would change", Buffer.from("e\u0301"), { content_base64: "ZcyB" }],
    ["what is too large to be shown", Buffer.alloc(1024 * 1024 + 1, "x"), {}],
  ])("%s comes in the form from which the same is written", async (_, bytes, form) => {
    const path = join(host.root, "form");
    writeFileSync(path, bytes);
    const { imported, diagnostics } = await provider.importResource("conn3x_file", idOf(path));
    expect(diagnostics).toEqual([]);
    const none = { content: null, content_base64: null };
    expect(toPlain(imported[0]!.state)).toMatchObject({ ...none, ...form });
    const driver = createDriver(provider, "conn3x_file");
    const read = await driver.read(imported[0]!);
    expect(toPlain(read.state)).toMatchObject({ ...none, ...form });
    const { ino } = statSync(path);
    const body = "content" in form || "content_base64" in form ? form : { source: path };
    const applied = await driver.apply(read, { path, ...body, ssh });
    expect(applied.decision.action).toBe("source" in body ? "update" : "none");
    expect(statSync(path).ino).toBe(ino);
  });

  test("X1: what differs was edited by nobody, until it is applied", async () => {
    const path = join(host.root, "imported");
    writeFileSync(path, "found\n");
    const { imported } = await provider.importResource("conn3x_file", idOf(path));
    const driver = createDriver(provider, "conn3x_file");
    const applied = await driver.apply(await driver.read(imported[0]!), { path, content: "wanted\n", ssh });
    const changed = { kind: "config", paths: [[{ attribute: "content" }]] };
    expect(applied.decision.reasons).toEqual([{ ...changed, imported: true }]);
    const edited = await driver.plan(await driver.read(applied), { path, content: "edited\n", ssh });
    expect(edited.decision.reasons).toEqual([changed]);
  });

  test.each<[string, () => string, string]>([
    ["file", () => idOf(join(host.root, "missing")), "Nothing to import"],
    ["file", () => idOf(host.root), "Nothing to import"],
    ["service", () => idOf("/nosuch"), "Nothing to import"],
    ["file", () => "web1:/etc/motd", "Import id cannot be read"],
    ["file", () => "web/web9:/etc/motd", "Import id cannot be used"],
    ["file", () => "secret/web1:/etc/motd", "Import id cannot be used"],
    ["file", () => `here/one:${join(host.root, "missing")}`, "Nothing to import"],
    ["service", () => idOf("/a b"), "Import id cannot be used"],
    ["file", () => "ssh://web1:99999/etc/motd", "Import id cannot be used"],
    ["command", () => idOf("/x"), "conn3x_command cannot be imported"],
    ["service_action", () => idOf("/web"), "conn3x_service_action cannot be imported"],
    ["file", () => "ssh://$(id)@127.0.0.1:1/etc/motd", "Import id cannot be used"],
    ["file", () => "ssh://a;id/etc/motd", "Import id cannot be used"],
    ["file", () => "ssh://127.0.0.1:1/etc/motd", "Host does not answer"],
  ])("%s: %s", async (kind, id, summary) => {
    const { imported, diagnostics } = await provider.importResource(`conn3x_${kind}`, id());
    expect(imported).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "error", summary }]);
  });
});
