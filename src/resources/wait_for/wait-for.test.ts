import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { showValues } from "../../schema/schema.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { WaitOperation } from "../operation.ts";
import { waitForKind } from "./wait-for.ts";

const want = (settings: PlainObject): PlainObject => ({
  port: null,
  path: null,
  command: null,
  http: null,
  http_status: null,
  http_from: null,
  state: null,
  triggers: null,
  timeout: null,
  interval: null,
  ...settings,
});
const found = { state: "present", facts: null } as const;
const wait = (settings: PlainObject) => waitForKind.operate(want(settings), found)[0] as WaitOperation;

describe("operate", () => {
  test.each<[PlainObject, string]>([
    [{ port: 80 }, "TCP port 80 to be open"],
    [{ port: 80, state: "absent" }, "TCP port 80 to be closed"],
    [{ path: "/run/app" }, "/run/app to exist"],
    [{ path: "/run/app", state: "absent" }, "/run/app to vanish"],
    [{ command: "app ready" }, "the command to succeed"],
    [{ http: "http://a:b@h:1/x?k=secret" }, "http://h:1/x?… to answer with status 200"],
    [{ http: "http://h", http_status: [200, 401] }, "http://h to answer with status 200 or 401"],
    [{ http: "http://h", state: "absent" }, "http://h not to answer with status 200"],
    [{ command: "app busy", state: "absent" }, "the command to fail"],
  ])("%j waits for %s", (settings, purpose) => {
    expect(wait(settings)).toMatchObject({ purpose, timeout: 300, interval: 1 });
  });

  test("once, and again when something changes", () => {
    const prior = want({ port: 80, triggers: { a: "1" } });
    expect(waitForKind.operate(want({ port: 80, triggers: { a: "1" }, timeout: 9 }), found, prior)).toEqual(
      [],
    );
    expect(waitForKind.operate(want({ port: 80, triggers: { a: "2" } }), found, prior)).toHaveLength(1);
    expect(waitForKind.operate(want({ port: 81, triggers: { a: "1" } }), found, prior)).toHaveLength(1);
  });

  test("what the user wrote is never among our own scripts", () => {
    expect(wait({ command: "app ready" }).question).toEqual({ ask: "command", script: "app ready" });
  });
});

describe("the question, on this machine", () => {
  let root: string;
  let server: Server;
  let port: number;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "conn3x-wait-"));
    writeFileSync(join(root, "there"), "");
    symlinkSync("nowhere", join(root, "dangling"));
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.close();
    rmSync(root, { recursive: true, force: true });
  });
  const holds = (settings: PlainObject) => {
    const { question } = wait(settings);
    if (question.ask === "url") throw new Error("not for a shell");
    const text = question.ask === "command" ? question.script : question.script.text;
    return spawnSync("/bin/sh", ["-c", text]).status === 0;
  };

  test("a port", () => {
    expect(holds({ port })).toBe(true);
    expect(holds({ port, state: "absent" })).toBe(false);
    expect(holds({ port: 1 })).toBe(false);
    expect(holds({ port: 1, state: "absent" })).toBe(true);
  });
  test.each([
    ["there", true],
    ["dangling", true],
    ["missing", false],
  ])("a path: %s", (name, there) => {
    expect(holds({ path: join(root, name) })).toBe(there);
    expect(holds({ path: join(root, name), state: "absent" })).toBe(!there);
  });
  test("a command", () => {
    expect(holds({ command: "exit 0" })).toBe(true);
    expect(holds({ command: "exit 4" })).toBe(false);
    expect(holds({ command: "exit 4 # not 0", state: "absent" })).toBe(true);
    expect(holds({ command: "true", state: "absent" })).toBe(false);
  });
});

test("check", () => {
  expect(waitForKind.check?.(want({}))).toMatchObject([{ summary: "Nothing to wait for" }]);
  expect(waitForKind.check?.(want({ port: 80 }))).toEqual([]);
  expect(waitForKind.check?.(want({ port: 80, http_status: [200] }))).toMatchObject([
    { summary: "No URL to wait for" },
  ]);
  for (const url of ["localhost:80", "ftp://h/", "http://", 'http://h/"x', "http://h/a b", "http://h/\n"]) {
    expect(waitForKind.schema.attributes.http?.check?.(url, showValues)).toEqual(expect.any(String));
  }
  expect(waitForKind.schema.attributes.http?.check?.("https://h:8443/a?b=%20", showValues)).toBe(undefined);
  expect(waitForKind.schema.attributes.port?.check?.(0 as never, showValues)).toEqual(expect.any(String));
  expect(waitForKind.schema.attributes.path?.check?.("run/app", showValues)).toEqual(expect.any(String));
});
