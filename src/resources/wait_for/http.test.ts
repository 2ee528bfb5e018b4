import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answers, noClient } from "./http.ts";

let server: Server;
let base: string;
let root: string;
const paths: string[] = [];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "conn3x-http-"));
  server = createServer((request, response) => {
    paths.push(request.url!);
    const status = Number(request.url!.slice(1, 4));
    response.writeHead(status, status === 302 ? { location: "/200" } : {}).end("body");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

const where = (tool: string) =>
  spawnSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).stdout.trim();

/** A PATH on which there is no other client. */
function only(client: string, program: string, ...args: readonly string[]): string {
  const path = mkdtempSync(join(root, "bin-"));
  for (const tool of ["sh", "sed", "head", "grep", "tail"]) symlinkSync(where(tool), join(path, tool));
  if (client !== "")
    writeFileSync(
      join(path, client),
      `#!/bin/sh\necho "$@" >>"${path}/arguments"\nexec ${program} ${args.join(" ")} "$@"\n`,
      { mode: 0o755 },
    );
  return path;
}
const ask = (path: string, url: string, statuses: readonly number[], wanted: boolean) =>
  new Promise<{ status: number | null; said: string }>((resolve) => {
    const child = spawn("/bin/sh", [], { env: { PATH: path } });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    child.on("close", (status) => resolve({ status, said }));
    child.stdin.end(answers(url, statuses, wanted).text);
  });

const clients = [
  ["curl", where("curl")],
  ["wget", where("wget")],
  ["wget", where("busybox"), "wget"],
].filter(([, program]) => program !== "" && existsSync(program!)) as [string, string, ...string[]][];

describe.each(clients)("with %s of %s", (client, program, ...args) => {
  test("an answer with the wanted status, and none", async () => {
    const path = only(client, program, ...args);
    expect(await ask(path, `${base}/200`, [200], true)).toEqual({ status: 0, said: "" });
    expect((await ask(path, `${base}/200`, [200], false)).status).toBe(1);
    const missing = await ask(path, `${base}/404`, [200, 204], true);
    expect(missing).toMatchObject({ status: 1, said: expect.stringContaining("404") });
    expect((await ask(path, `${base}/404`, [200, 404], true)).status).toBe(0);
    const closed = await ask(path, "http://127.0.0.1:9/", [200], true);
    expect(closed).toEqual({
      status: 1,
      said: expect.stringMatching(/^it does not answer: .*(connect|refused)/is),
    });
    expect(closed.said).not.toContain("000");
    expect(missing.said).toBe("it answers with status 404\n");
    expect((await ask(path, "http://127.0.0.1:9/", [200], false)).status).toBe(0);
  });

  test("a URL is taken as it is, whatever a client would make of it", async () => {
    const path = only(client, program, ...args);
    expect((await ask(path, `${base}/200?f[]=1&{a,b}`, [200], true)).status).toBe(0);
    expect(decodeURI(paths.at(-1)!)).toBe("/200?f[]=1&{a,b}");
  });

  test("no message has the URL, and no argument but busybox's", async () => {
    const path = only(client, program, ...args);
    const { status, said } = await ask(path, "http://user:s3cr3t@127.0.0.1:9/?t=s3cr3t", [200], true);
    expect(status).toBe(1);
    expect(said).not.toContain("s3cr3t");
    if (args.length === 0) expect(readFileSync(join(path, "arguments"), "utf8")).not.toContain("s3cr3t");
  });

  test.skipIf(args[0] === "wget")("a redirection is an answer", async () => {
    const path = only(client, program, ...args);
    expect((await ask(path, `${base}/302`, [302], true)).status).toBe(0);
    expect((await ask(path, `${base}/302`, [200], true)).status).toBe(1);
  });
});

test("a host without a client says so", async () => {
  expect(await ask(only("", ""), `${base}/200`, [200], true)).toMatchObject({
    status: noClient,
    said: expect.stringContaining('http_from = "controller"'),
  });
});
