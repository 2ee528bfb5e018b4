/** A state on a server that speaks TLS, with certificates made by OpenSSL: whom it trusts, and who is trusted. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type HttpStateServer, startHttpStateServer } from "../../testing/http-state-server.ts";
import { peekState } from "../peek.ts";
import { httpBackend } from "./http-server.ts";
import { httpSettings } from "./http-settings.ts";
import type { Settings } from "./settings.ts";

let folder: string;
const openssl = (...args: readonly string[]) => {
  const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
};
const pem = (name: string) => readFileSync(join(folder, name), "utf8");

/** `NAME.key`, and `NAME.pem` that is signed by `by`, or by itself. */
function certificate(name: string, extension: string, by?: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const out = ["-keyout", `${name}.key`, "-subj", `/CN=${name}`];
  writeFileSync(join(folder, `${name}.ext`), extension);
  openssl("req", "-new", ...key, ...out, "-out", `${name}.csr`);
  const signed = by === undefined ? ["-signkey", `${name}.key`] : ["-CA", `${by}.pem`, "-CAkey", `${by}.key`];
  const serial = by === undefined ? [] : ["-CAcreateserial"];
  const what = ["-in", `${name}.csr`, "-days", "2", "-extfile", `${name}.ext`, "-out", `${name}.pem`];
  openssl("x509", "-req", ...what, ...signed, ...serial);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conn3x-tls-"));
  certificate("authority", "basicConstraints=critical,CA:TRUE\n");
  certificate("server", "subjectAltName=IP:127.0.0.1\n", "authority");
  certificate("elsewhere", "subjectAltName=DNS:elsewhere.example\n", "authority");
  certificate("client", "extendedKeyUsage=clientAuth\n", "authority");
  certificate("alone", "subjectAltName=IP:127.0.0.1\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

let server: HttpStateServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const keys = (name: string) => ({ key: pem(`${name}.key`), cert: pem(`${name}.pem`) });

/** What is wrong with them is thrown. */
const settingsFor = (address: string, more: Settings) =>
  httpSettings({ address, retry_max: 3, retry_wait_min: 100, retry_wait_max: 100, ...more }, (problem) => {
    throw new Error(problem.detail);
  })!;

/** Reads the state of a server with these keys. @returns its serial, or what is wrong, without the address */
async function read(tls: ServerOptions | undefined, more: Settings): Promise<number | string | undefined> {
  server = await startHttpStateServer(tls);
  server.state = `{"version":4,"terraform_version":"1.12.0","serial":7,"lineage":"l","outputs":{},"resources":[]}`;
  const address = server.address.replace(/^http:/, "https:");
  const { file, problem } = await peekState(httpBackend(settingsFor(address, more)));
  return file?.serial ?? problem?.detail.replace(`${address}: `, "");
}

// None of these waits for tries that would change nothing: a second one is 100 s away.
describe("the server", () => {
  test("of an authority that is given is trusted", async () => {
    expect(await read(keys("server"), { client_ca_certificate_pem: pem("authority.pem") })).toBe(7);
  });

  test("that has signed its certificate itself is trusted where that is given", async () => {
    expect(await read(keys("alone"), { client_ca_certificate_pem: pem("alone.pem") })).toBe(7);
  });

  test.each([
    ["server", /authority that is not trusted here/],
    ["alone", /signed by nobody but itself/],
  ])("with the certificate %s is not trusted without", async (name, expected) => {
    expect(await read(keys(name), {})).toMatch(expected);
    expect(server?.seen).toEqual([]);
    await server?.close();
    expect(await read(keys(name), { skip_cert_verification: true })).toBe(7);
  });

  test("is not another one with the same authority", async () => {
    const ca = { client_ca_certificate_pem: pem("authority.pem") };
    expect(await read(keys("elsewhere"), ca)).toBe("its certificate is for another name.");
  });

  test("leads nowhere without TLS", async () => {
    const open = await startHttpStateServer();
    try {
      server = await startHttpStateServer(keys("server"));
      server.answer = () => ({ status: 307, headers: { location: open.address } });
      const address = server.address.replace(/^http:/, "https:");
      const settings = settingsFor(address, { client_ca_certificate_pem: pem("authority.pem") });
      const { problem } = await peekState(httpBackend(settings));
      expect(problem?.detail).toContain("it redirects to a http: address, which is not encrypted");
      expect(open.seen).toEqual([]);
    } finally {
      await open.close();
    }
  });

  test("that speaks no TLS is told", async () => {
    expect(await read(undefined, {})).toMatch(/^it does not speak TLS there/);
  });
});

describe("a server that wants a certificate", () => {
  const strict = () => ({ ...keys("server"), ca: pem("authority.pem"), requestCert: true });
  const ca = () => ({ client_ca_certificate_pem: pem("authority.pem") });
  const client = (name: string) => ({
    client_certificate_pem: pem(`${name}.pem`),
    client_private_key_pem: pem(`${name}.key`),
  });

  test("gets ours", async () => {
    expect(await read(strict(), { ...ca(), ...client("client") })).toBe(7);
  });

  test("refuses none", async () => {
    expect(await read(strict(), ca())).toBe("it wants a certificate of ours, or another one.");
    expect(server?.seen).toEqual([]);
  });

  // With TLS 1.3 a server may just close the connection, which might pass.
  test("refuses that of somebody else", async () => {
    const said = await read(strict(), { ...ca(), ...client("alone"), retry_max: 0 });
    expect(said).toMatch(/^it (closed the connection|wants a certificate of ours, or another one)\.$/);
    expect(server?.seen).toEqual([]);
  });
});

describe("settings that are no certificates", () => {
  test.each([
    ["client_ca_certificate_pem", () => ({ client_ca_certificate_pem: "ca.pem" })],
    [
      "client_certificate_pem",
      () => ({ client_certificate_pem: "x", client_private_key_pem: pem("client.key") }),
    ],
    [
      "client_private_key_pem",
      () => ({ client_certificate_pem: pem("client.pem"), client_private_key_pem: "x" }),
    ],
    [
      "client_private_key_pem",
      () => ({ client_certificate_pem: pem("client.pem"), client_private_key_pem: pem("server.key") }),
    ],
  ])("%s is named", async (name, more) => {
    expect(() => settingsFor("https://127.0.0.1", more())).toThrow(new RegExp(`^"${name}"`));
  });
});
