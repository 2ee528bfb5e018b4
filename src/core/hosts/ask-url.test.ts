import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askUrl } from "./ask-url.ts";

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const status = Number(request.url!.slice(1));
    response.writeHead(status, status === 302 ? { location: "/200" } : {}).end("body");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test.each<[string, readonly number[], boolean, number, string]>([
  ["/200", [200], true, 0, ""],
  ["/404", [200, 404], true, 0, ""],
  ["/302", [200], true, 1, "it answered with status 302"],
  ["/500", [200], false, 0, ""],
  ["/200", [200], false, 1, "it answered with status 200"],
])("%s, wanted with %j: %j", async (path, statuses, wanted, status, said) => {
  const answer = await askUrl({ ask: "url", url: base + path, statuses, wanted });
  expect([answer.status, answer.stderr.toString()]).toEqual([status, said]);
});

test("a server that does not answer is asked no longer than the question may take, or the run goes on", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const begin = performance.now();
  const question = { ask: "url", url, statuses: [200], wanted: true } as const;
  const late = await askUrl({ ...question, timeout: 0.2 });
  expect([late.status, late.stderr.toString()]).toEqual([1, expect.stringMatching(/\w/)]);
  expect((await askUrl(question, AbortSignal.timeout(200))).status).toBe(1);
  expect(performance.now() - begin).toBeLessThan(5_000);
  silent.closeAllConnections();
  silent.close();
});

test("nobody there", async () => {
  const answer = await askUrl({ ask: "url", url: "http://127.0.0.1:9/", statuses: [200], wanted: true });
  expect([answer.status, answer.stderr.toString()]).toEqual([1, expect.stringMatching(/\w/)]);
});
