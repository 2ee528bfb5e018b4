/** One read of a host reads all that is stored of it, and each answer is given once. */
import { beforeEach, describe, expect, test } from "vitest";
import { providerSchema } from "../../core/create-provider.ts";
import type { Provider, ReadRequest } from "../../core/provider.ts";
import { upgradeState } from "../../core/stored/upgrade-state.ts";
import { warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { schemaType } from "../../schema/schema.ts";
import { jsonText, toJson } from "../../values/json/json.ts";
import { fromPlain } from "../../values/plain.ts";
import { objectOf, stringType } from "../../values/type.ts";
import type { Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";
import type { StoredForRead } from "../state/stored-for-reads.ts";
import type { ReadLogins } from "../state/stored-logins.ts";
import { withPrefetch } from "./prefetch.ts";

const type = "conn3x_file";
const schema = providerSchema.resources.get(type)!;
const ours = 'provider["registry.opentofu.org/conn3x/conn3x"]';

const json = (host: string, path: string): string =>
  jsonText(
    toJson(fromPlain({ path, id: path, ssh: { address: host } }, schemaType(schema)), schemaType(schema)),
  );

/** What the engine asks with was stored before. */
const object = (host: string, path: string): Value =>
  upgradeState(type, schema, schema.version, json(host, path)).value!;

const storedAt = (host: string, path: string, provider = ours): StoredForRead => ({
  provider,
  resource: `${type}.a`,
  type,
  name: "a",
  key: host,
  schemaVersion: schema.version,
  attributes: json(host, path),
  sensitivePaths: "[]",
  private: Buffer.from(path),
});

const request = (host: string, path: string): ReadRequest => ({
  type,
  current: object(host, path),
  private: Buffer.from(path),
});

let reads: string[];
let logins: string[];
/** Answers with what it was asked, and remembers it. */
const provider = {
  schema: providerSchema,
  upgradeState: (name: string, version: number, text: string) => upgradeState(name, schema, version, text),
  readResource: async ({ current, private: kept, login }: ReadRequest) => {
    const at = (name: string) => getPath(current, [{ attribute: "ssh" }, { attribute: name }])?.data;
    if (login !== undefined) logins.push(String(getPath(login, [{ attribute: "user" }])?.data));
    reads.push(`${at("address")} ${getPath(current, [{ attribute: "path" }])?.data}`);
    return { state: current, private: kept, diagnostics: [] };
  },
} as unknown as Provider;

beforeEach(() => {
  reads = [];
  logins = [];
});

const all = [storedAt("a", "/1"), storedAt("a", "/2"), storedAt("b", "/1")];

test("the first read of a host reads its instances, and no other host's", async () => {
  const { readResource } = withPrefetch(provider, Promise.resolve(all));
  const { state } = await readResource(request("a", "/1"));
  expect(state).toEqual(object("a", "/1"));
  expect(reads).toEqual(["a /1", "a /2"]);
  await readResource(request("a", "/2"));
  expect(reads).toEqual(["a /1", "a /2"]);
  await readResource(request("b", "/1"));
  expect(reads).toEqual(["a /1", "a /2", "b /1"]);
});

test("who asks again gets another answer", async () => {
  const { readResource } = withPrefetch(provider, Promise.resolve(all));
  await readResource(request("b", "/1"));
  await readResource(request("b", "/1"));
  expect(reads).toEqual(["b /1", "b /1"]);
});

test("instances of another configuration of the provider are left alone", async () => {
  const others = [storedAt("a", "/1"), storedAt("a", "/2", `${ours}.other`)];
  const { readResource } = withPrefetch(provider, Promise.resolve(others));
  await readResource(request("a", "/1"));
  expect(reads).toEqual(["a /1"]);
});

test("what is not stored is read by itself", async () => {
  const { readResource } = withPrefetch(provider, Promise.resolve([]));
  await readResource(request("a", "/9"));
  expect(reads).toEqual(["a /9"]);
});

test("a failure is that of the read that asks", async () => {
  const failing = {
    ...provider,
    readResource: async ({ current }: ReadRequest) => {
      if (getPath(current, [{ attribute: "path" }])?.data === "/2") throw new RangeError("defect");
      return { state: current, private: new Uint8Array(), diagnostics: [] };
    },
  };
  const { readResource } = withPrefetch(failing, Promise.resolve(all));
  await readResource(request("a", "/1"));
  await expect(readResource(request("a", "/2"))).rejects.toThrow("defect");
});

describe("a configured login", () => {
  const login = (user: string): Value => fromPlain({ user }, objectOf({ user: stringType }));
  const configured: ReadLogins = () => (one) =>
    one.key === "a" ? { login: login("new") } : one.key === "b" ? { login: login("new"), moved } : undefined;
  const moved = warningDiagnostic("Address of a host was edited", "b was elsewhere.");

  test("is read with, and hosts are told apart by it", async () => {
    const stored = Promise.resolve([...all, storedAt("c", "/1")]);
    const { readResource } = withPrefetch(provider, stored, configured);
    await readResource(request("a", "/2"));
    // What is logged in to alike is one host, whatever was stored.
    expect(reads).toEqual(["a /1", "a /2", "b /1"]);
    await readResource(request("c", "/1"));
    expect(logins).toEqual(["new", "new", "new"]);
  });

  test("that leads elsewhere is told of, in place of there being another machine", async () => {
    const another = warningDiagnostic("Host is another machine", "");
    const answer = { state: object("b", "/1"), private: new Uint8Array(), diagnostics: [another] };
    const rebuilt = { ...provider, readResource: async () => ({ ...answer, rebuilt: true }) };
    const same = { ...provider, readResource: async () => answer };
    const said = async (one: Provider) =>
      (await withPrefetch(one, Promise.resolve(all), configured).readResource(request("b", "/1")))
        .diagnostics;
    expect(await said(rebuilt)).toEqual([moved]);
    expect(await said(same)).toEqual([another, moved]);
  });
});
