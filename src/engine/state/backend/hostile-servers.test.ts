/** State servers that mean harm: answers without end or pace, and redirections with the state in them. */
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { lockTerms } from "../../testing/store-at.ts";
import { peekState } from "../peek.ts";
import { BackendError, type StateBackend } from "../state-backend.ts";
import { httpBackend } from "./http-server.ts";
import { httpSettings } from "./http-settings.ts";
import { pgBackend } from "./pg-server.ts";
import { pgSettings } from "./pg-settings.ts";
import type { Settings } from "./settings.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** @returns its port on the loopback */
async function listening(server: Server | HttpServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const refuse = ({ detail }: { readonly detail: string }) => {
  throw new Error(detail);
};

/** @param limits milliseconds */
async function httpAt(
  listener: RequestListener,
  limits: { readonly timeout?: number; readonly total?: number } = {},
  more: Settings = {},
): Promise<StateBackend> {
  const address = `http://127.0.0.1:${await listening(createHttpServer(listener))}/state`;
  const settings = httpSettings({ address, lock_address: address, retry_wait_min: 0, ...more }, refuse)!;
  return httpBackend({ ...settings, transport: { ...settings.transport, ...limits } });
}

const problemOf = async (backend: StateBackend): Promise<string> =>
  (await peekState(backend)).problem!.detail;

/** Writes until the other side has enough. */
function endless(to: { write(part: Buffer): boolean; on(event: "drain", more: () => void): unknown }): void {
  const part = Buffer.alloc(2 ** 20, "x");
  const more = (): void => {
    while (to.write(part)) {}
  };
  to.on("drain", more);
  more();
}

/** MiB that the process has grown by at most while something is done. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  await work();
  clearInterval(timer);
  return (most - before) / 2 ** 20;
}

describe("an HTTP server", () => {
  test("that answers without end is left, once", async () => {
    let requests = 0;
    const backend = await httpAt((_, response) => {
      requests++;
      endless(response.writeHead(200));
    });
    const grown = await growth(async () => {
      expect(await problemOf(backend)).toMatch(/its answer is longer than 256 MiB\.$/);
    });
    expect(requests).toBe(1);
    // What arrived, and what was on its way; it was 3.4 GB in 12 s.
    expect(grown).toBeLessThan(700);
  });

  test("that says much about a lock is left much earlier", async () => {
    const backend = await httpAt((_, response) => endless(response.writeHead(423)));
    expect((await backend.lock(lockTerms)).problem?.detail).toMatch(/its answer is longer than 1 MiB/);
  });

  test("that drips has a limit for all of its tries", async () => {
    let requests = 0;
    const backend = await httpAt(
      (_, response) => {
        requests++;
        response.writeHead(200);
        const timer = setInterval(() => response.write("{"), 20);
        response.on("close", () => clearInterval(timer));
      },
      { timeout: 200, total: 500 },
    );
    const start = performance.now();
    expect(await problemOf(backend)).toMatch(/it does not answer/);
    expect(performance.now() - start).toBeLessThan(2000);
    expect(requests).toBe(1);
  });

  test("that fails slowly again and again has it, too", async () => {
    const backend = await httpAt(
      (_, response) => void setTimeout(() => response.writeHead(503).end(), 200),
      { total: 500 },
      { retry_max: 1000 },
    );
    const start = performance.now();
    expect(await problemOf(backend)).toMatch(/status 503|does not answer/);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test("that wants to be asked again in an hour is not waited for", async () => {
    const backend = await httpAt((_, response) => response.writeHead(503, { "retry-after": "3600" }).end());
    const start = performance.now();
    expect(await problemOf(backend)).toMatch(/status 503: it wants to be left alone for 3600 s/);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test.each([301, 302, 303, 307, 308])(
    "that redirects with %s elsewhere gets no state there",
    async (status) => {
      const stolen: string[] = [];
      const thief = await listening(
        createHttpServer((request, response) => {
          stolen.push(request.method!);
          response.end();
        }),
      );
      const backend = await httpAt((_, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${thief}/state` }).end(),
      );
      const wrong = new RegExp(
        `status ${status}: it redirects to http://127.0.0.1:${thief}/state. What is written`,
      );
      await expect(backend.write(backend.encode(['{"secret": 1}']))).rejects.toThrow(wrong);
      await expect(backend.write(backend.encode(["{}"]))).rejects.toThrow(BackendError);
      expect((await backend.lock(lockTerms)).problem?.detail).toMatch(wrong);
      expect(stolen).toEqual([]);
    },
  );
});

describe("a PostgreSQL server", () => {
  const pgAt = (port: number): StateBackend =>
    pgBackend(pgSettings({ conn_str: `postgres://u:p@127.0.0.1:${port}/d?sslmode=disable` }, {}, refuse)!);

  test("that answers without end, before a login even, is left", async () => {
    const port = await listening(
      createServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => {
          // A message of 2 GiB, of a kind that is read as a whole.
          socket.write(Buffer.from([0x53, 0x7f, 0xff, 0xff, 0xff]));
          endless(socket);
        });
      }),
    );
    const grown = await growth(async () => {
      expect(await problemOf(pgAt(port))).toMatch(/its answer is longer than 256 MiB/);
    });
    expect(grown).toBeLessThan(1200);
  });
});

describe("what `init` says of the way to a state", () => {
  const cautionOf = {
    http: (address: string, more: Settings = {}) =>
      httpBackend(httpSettings({ address, ...more }, refuse)!).caution?.detail,
    pg: (conn_str: string) => pgBackend(pgSettings({ conn_str }, {}, refuse)!).caution?.detail,
  };

  test.each([
    [cautionOf.pg("postgres://u@db.example/d"), /certificate is not looked at \(sslmode=require\)/],
    [cautionOf.pg("postgres://u@db.example/d?sslmode=disable"), /without encryption \(sslmode=disable\)/],
    [cautionOf.http("http://state.example/x"), /without encryption/],
    [cautionOf.http("https://state.example/x", { skip_cert_verification: true }), /skip_cert_verification/],
  ])("warns: %s", (said, wanted) => expect(said).toMatch(wanted));

  test.each([
    [cautionOf.pg("postgres://u@db.example/d?sslmode=verify-full")],
    [cautionOf.pg("postgres://u@localhost/d")],
    [cautionOf.pg("postgres:///d?host=/run/postgresql")],
    [cautionOf.http("https://state.example/x")],
    [cautionOf.http("http://127.0.0.1:8080/x")],
    [cautionOf.http("http://[::1]:8080/x")],
  ])("has nothing to warn of", (said) => expect(said).toBeUndefined());
});
