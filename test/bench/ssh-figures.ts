/**
 * @module `npm run bench -- ssh`: what reaching a host costs in time, round trips, bytes and processes, on one host of the
 * lab; and the memory of many sessions, with a host in another process of this machine.
 */
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { startDemoHost } from "../../src/demo/host/demo-host.ts";
import { script } from "../../src/script/script.ts";
import type { Login } from "../../src/ssh/login/login.ts";
import { resolveLogin } from "../../src/ssh/login/resolve-login.ts";
import type { Session } from "../../src/ssh/session.ts";
import { createSessionPool } from "../../src/ssh/session-pool.ts";
import type { LabHost } from "../lab/host.ts";
import { openLab } from "../lab/lab.ts";

/** Milliseconds of the round trip by which round trips are counted. */
const farAway = 100;
const megabyte = 1024 * 1024;

interface Step {
  readonly name: string;
  readonly work: (session: Session) => Promise<unknown>;
}

const allSteps: readonly Step[] = [
  { name: "login and a first fact", work: (session) => session.ask(script`true`) },
  {
    name: "no-op of 20 objects",
    work: (session) =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) => {
          const path = `/etc/apt/../passwd${"/".repeat(i % 2)}`.replace(/\/$/, "");
          return session.ask(script`: ${i}; stat -c '%a %U %G' ${path}; sha256sum <${path}`);
        }),
      ),
  },
  {
    name: "a command",
    work: (session) => session.run({ script: "true" }),
  },
  {
    name: "a file of 1 KB",
    work: (session) => session.put({ path: "/root/small", content: Buffer.alloc(1024, "x"), follow: true }),
  },
];

export async function sshFigures(): Promise<void> {
  const lab = await openLab({ name: "bench-ssh" });
  try {
    const [host] = (await lab.up(["web1"])) as [LabHost];
    const login: Partial<Login> = {
      user: "deploy",
      privateKeyFile: lab.keyFile,
      hostKey: host.hostKey,
      agent: false,
      become: true,
    };
    const near = await measureSteps(host, login, 0, allSteps);
    const far = await measureSteps(host, login, farAway, allSteps);
    for (const [i, { name }] of allSteps.entries()) {
      const trips = ((far[i]!.elapsed - near[i]!.elapsed) / farAway).toFixed(1);
      console.log(`${name}: ${row(near[i]!)}, ${trips} round trips`);
    }
    const [large] = await measureSteps(host, login, 0, [{ name: "", work: putLarge }]);
    console.log(
      `a file of 100 MB, with login: ${row(large!)}, ${Math.round(peak / megabyte)} MB of memory more at the most`,
    );
  } finally {
    await lab.down();
  }
  await manySessions(500);
}

interface Cost {
  readonly elapsed: number;
  readonly sent: number;
  readonly received: number;
  readonly processes: number;
}

const row = ({ elapsed, sent, received, processes }: Cost): string =>
  `${Math.round(elapsed)} ms, ${sent} bytes there, ${received} back, ${processes} processes on the host`;

async function measureSteps(
  host: LabHost,
  login: Partial<Login>,
  roundTrip: number,
  steps: readonly Step[],
): Promise<readonly Cost[]> {
  const relay = await countingRelay(host, roundTrip);
  const pool = createSessionPool();
  const session = pool.session(
    resolveLogin({ ...login, sshConfigFile: "none", address: "127.0.0.1", port: relay.port }),
  );
  const overhead = -(await lastProcess(host)) + (await lastProcess(host));
  const costs: Cost[] = [];
  for (const { work } of steps) {
    const before = { ...relay.bytes, process: await lastProcess(host) };
    const started = performance.now();
    await work(session);
    const elapsed = performance.now() - started;
    costs.push({
      elapsed,
      sent: relay.bytes.sent - before.sent,
      received: relay.bytes.received - before.received,
      processes: (await lastProcess(host)) - before.process - overhead,
    });
  }
  await pool.close();
  await relay.close();
  return costs;
}

/** The number of the host's youngest process (proc(5), loadavg). */
const lastProcess = async (host: LabHost): Promise<number> =>
  Number((await host.must("cat /proc/loadavg")).trim().split(" ").at(-1));

/** Bytes by which this process grew while the large file was sent. */
let peak = 0;

async function putLarge(session: Session): Promise<void> {
  const block = Buffer.alloc(megabyte, "a block of a large file\n");
  const blocks = 100;
  const hash = createHash("sha256");
  for (let i = 0; i < blocks; i++) hash.update(block);
  const before = process.memoryUsage().rss;
  async function* read(): AsyncGenerator<Buffer> {
    for (let i = 0; i < blocks; i++) {
      peak = Math.max(peak, process.memoryUsage().rss - before);
      yield Buffer.from(block);
    }
  }
  const content = { size: blocks * megabyte, sha256: hash.digest("hex"), open: read };
  await session.put({ path: "/root/large", content, follow: true });
}

async function countingRelay(target: LabHost, roundTrip: number) {
  const bytes = { sent: 0, received: 0 };
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: target.address, port: target.port, noDelay: true });
    for (const [from, to, count] of [
      [near, far, "sent"],
      [far, near, "received"],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.on("data", (piece) => {
        bytes[count] += piece.length;
        if (roundTrip > 0) return void setTimeout(() => to.writable && to.write(piece), roundTrip / 2);
        if (!to.write(piece)) from.pause();
        return undefined;
      });
      to.on("drain", () => from.resume());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    bytes,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Logs in `count` times to a host in another process and has a fact shell open on each. */
async function manySessions(count: number): Promise<void> {
  const child = fork(__filename, ["ssh-host"], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  try {
    const [login] = (await once(child, "message")) as [Partial<Login> & { address: string }];
    const pool = createSessionPool();
    global.gc?.();
    const before = process.memoryUsage().rss;
    const started = performance.now();
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        // A time limit of its own makes each login another one.
        pool
          .session(
            resolveLogin({ ...login, sshConfigFile: "none", connectTimeout: 120, commandTimeout: 1000 + i }),
          )
          .ask(script`echo ${i}`),
      ),
    );
    const grown = (process.memoryUsage().rss - before) / megabyte;
    console.log(
      `${count} sessions: ${Math.round(performance.now() - started)} ms, ${Math.round(grown)} MB, ${((grown * 1024) / count).toFixed(0)} KB each`,
    );
    await pool.close();
  } finally {
    child.kill();
  }
}

/** The host of {@link manySessions}: tells how it is logged in to, and stays until it is ended. */
export async function sshFiguresHost(): Promise<void> {
  const host = await startDemoHost();
  process.once("SIGTERM", () => void host.close().then(() => process.exit()));
  process.send?.(host.login);
}
