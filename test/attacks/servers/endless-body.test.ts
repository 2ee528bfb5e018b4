/**
 * `wait_for` asks a URL from this machine: whatever its server sends, the status is all that is read.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcp } from "node:net";
import { afterEach, expect, test } from "vitest";
import { askUrl } from "../../../src/core/hosts/ask-url.ts";

let close: (() => void) | undefined;
afterEach(() => close?.());

async function listening(server: Server | ReturnType<typeof createTcp>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const asked = async (url: string): Promise<{ status: number; said: string; took: number; grew: number }> => {
  const [began, before] = [performance.now(), process.memoryUsage.rss()];
  const answer = await askUrl({ ask: "url", url, statuses: [200], wanted: true, timeout: 2 });
  const grew = (process.memoryUsage.rss() - before) / 2 ** 20;
  return { status: answer.status, said: answer.stderr.toString(), took: performance.now() - began, grew };
};

test("a body without end", async () => {
  let sent = 0;
  const block = Buffer.alloc(64 * 1024, "x");
  const server = createServer((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(block)) sent += block.length;
    };
    response.on("drain", more).on("error", () => {});
    more();
  });
  const url = await listening(server);
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const { status, took, grew } = await asked(url);
  expect([status, took < 3000, grew < 100]).toEqual([0, true, true]);
  const then = sent;
  await new Promise((later) => setTimeout(later, 300));
  // Nobody takes any more of it.
  expect(sent - then).toBeLessThan(16 * 2 ** 20);
});

test.each([
  ["headers without end", "HTTP/1.1 200 OK\r\n", "x: y\r\n"],
  ["a status line without end", "HTTP/1.1 200 ", "x"],
  ["nothing of HTTP", "SSH-2.0-x\r\n", "x"],
])("%s", async (_, start, more) => {
  const server = createTcp((socket) => {
    socket.on("error", () => {});
    socket.write(start);
    const block = more.repeat(10_000);
    const go = (): void => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on("drain", go);
    go();
  });
  const url = await listening(server);
  close = () => server.close();
  const { status, said, took, grew } = await asked(url);
  expect([status, took < 3000, grew < 100]).toEqual([1, true, true]);
  expect(said).toMatch(/^\w.{3,120}$/);
});

test("a URL that cannot be asked is not quoted", async () => {
  const { status, said } = await asked("http://secret-user:secret-word@127.0.0.1:1/");
  expect(status).toBe(1);
  expect(said).not.toContain("secret");
});
