/** What backends are told, and what is wrong with it. */
import { expect, test } from "vitest";
import { SourceFile } from "../../../diagnostics/source.ts";
import { parseFile } from "../../../hcl/parse/parse.ts";
import { creationLock, fnv1 } from "./creation-lock.ts";
import { httpSettings, httpSpec } from "./http-settings.ts";
import { pgConnection } from "./pg-connection.ts";
import { blockSettings, type Settings, textSettings, withEnvironment } from "./settings.ts";

/** Settings of a block, and what was said. */
function read(text: string) {
  const said: string[] = [];
  const { body } = parseFile(new SourceFile("main.tf", text));
  const settings = blockSettings({ type: "http", body, range: body }, httpSpec, ({ summary, detail }) =>
    said.push(`${summary}: ${detail}`),
  );
  return { settings, said };
}

function http(settings: Settings) {
  const said: string[] = [];
  return { made: httpSettings(settings, ({ detail }) => said.push(detail)), said };
}

test("a block has texts, numbers, maps; null is nothing", () => {
  expect(
    read(
      'address = "http://a"\nretry_max = "4"\nskip_cert_verification = true\nusername = null\nheaders = { a = 1 }\n',
    ),
  ).toEqual({
    settings: { address: "http://a", retry_max: 4, skip_cert_verification: true, headers: { a: "1" } },
    said: [],
  });
});

test.each([
  ['adress = "x"', /no setting "adress"\. Did you mean "address"\?/],
  ["address = var.x", /must be written out/],
  ["retry_max = []", /It must be a number/],
  ["headers {\n}", /no setting of this backend/],
])("%s", (text, expected) => {
  expect(read(`${text}\n`).said).toEqual([expect.stringMatching(expected)]);
});

test("what is given weighs more than the block, and that more than the environment", () => {
  const given = textSettings([["username", "given"]], { type: "http", spec: httpSpec }, () => {});
  const settings = { address: "http://a", username: "block", ...given };
  const environment = { TF_HTTP_ADDRESS: "http://b", TF_HTTP_USERNAME: "c", TF_HTTP_RETRY_MAX: "7" };
  expect(withEnvironment(settings, httpSpec, environment, () => {})).toEqual({
    address: "http://a",
    username: "given",
    retry_max: 7,
  });
});

test.each<[Settings, RegExp]>([
  [{}, /needs "address".*TF_HTTP_ADDRESS/],
  [{ address: "ftp://a" }, /begins with http:\/\/ or https:\/\//],
  [{ address: "http://u%zz:p@a" }, /"address" has a login in which a %/],
  [{ address: "http://a", lock_address: "http://u:%ff@a" }, /"lock_address" has a login in which a %/],
  [{ address: "http://a", client_certificate_pem: "x" }, /need each other/],
  [{ address: "http://a", retry_max: -1 }, /at least 0/],
  [{ address: "http://a", headers: { "Content-Type": "x" } }, /each request has its own/],
  [{ address: "http://a", headers: { "a b": "x" } }, /other characters/],
  [{ address: "http://a", username: "u", headers: { Authorization: "x" } }, /beside "username"/],
  [{ address: "http://a", headers: { a: " " } }, /empty/],
])("%j is refused", (settings, expected) => {
  const { made, said } = http(settings);
  expect(made).toBeUndefined();
  expect(said).toEqual([expect.stringMatching(expected)]);
});

test("defaults are OpenTofu's", () => {
  const { made } = http({ address: "http://a/b", lock_address: "http://a/l", unlock_address: "http://a/u" });
  expect(made).toMatchObject({
    updateMethod: "POST",
    lock: { method: "LOCK" },
    unlock: { method: "UNLOCK" },
    transport: { retries: 2, retryWait: { shortest: 1000, longest: 30_000 }, skipCertVerification: false },
  });
});

function connection(text: string, environment: NodeJS.ProcessEnv = {}) {
  const said: string[] = [];
  return pgConnection(text, environment, ({ detail }) => said.push(detail)) ?? said;
}

test.each([
  ["postgres://me:p%20w@db.example:5433/state?sslmode=disable"],
  ["host=db.example port=5433 user=me password='p w' dbname=state sslmode=disable"],
  ["  host = db.example port=5433 user=me password=p\\ w dbname=state sslmode = 'disable'"],
])("%s is a connection", (text) => {
  expect(connection(text)).toMatchObject({
    host: "db.example",
    port: 5433,
    user: "me",
    password: "p w",
    database: "state",
    ssl: false,
  });
});

test("libpq's variables stand for what is not said; the rest is settings of the session", () => {
  const environment = {
    PGHOST: "h",
    PGPORT: "1",
    PGUSER: "u",
    PGPASSWORD: "p",
    PGDATABASE: "d",
    PGSSLMODE: "disable",
  };
  expect(connection("", environment)).toMatchObject({
    host: "h",
    port: 1,
    user: "u",
    password: "p",
    database: "d",
    ssl: false,
  });
  expect(connection("postgres://other/?sslmode=disable&search_path=a b", environment)).toMatchObject({
    host: "other",
    user: "u",
    options: "-c search_path=a\\ b",
  });
});

test("encryption is asked for unless it is refused, and certificates are looked at where that is wanted", () => {
  expect(connection("host=h user=u")).toMatchObject({ ssl: { rejectUnauthorized: false } });
  expect(connection("host=h user=u sslmode=verify-full")).toMatchObject({ ssl: {} });
  expect(connection("host=h user=u sslmode=verify-full")).not.toMatchObject({
    ssl: { checkServerIdentity: expect.anything() },
  });
  expect(connection("host=h user=u sslmode=verify-ca")).toMatchObject({
    ssl: { checkServerIdentity: expect.any(Function) },
  });
  expect(connection("host=/run/postgresql user=u")).toMatchObject({ ssl: false });
});

test.each([
  ["host", /no connection string/],
  ["host=a port=x", /port/],
  ["host=a sslmode=prefer", /sslmode must be/],
  ["host=a sslrootcert=/none", /no such file/],
])("%s is refused", (text, expected) => {
  expect(connection(text)).toEqual([expect.stringMatching(expected)]);
});

// Vectors: http://www.isthe.com/chongo/tech/comp/fnv/, FNV-1 of 32 bits.
test.each([
  ["", 0x811c9dc5],
  ["a", 0x050c5d7e],
  ["foobar", 0x31f0b262],
])("FNV-1 of %j", (text, expected) => {
  expect(fnv1(Buffer.from(text))).toBe(expected);
});

test("the lock of a table is below zero", () => {
  expect(creationLock("terraform_remote_state", "states")).toMatch(/^-\d+$/);
});
