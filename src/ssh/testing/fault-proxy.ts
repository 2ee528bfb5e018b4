/**
 * @module For tests: a relay before an SSH host that freezes, cuts or drops connections on demand.
 */
import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:net";

export interface FaultProxy {
  readonly port: number;
  /** Connections that were accepted so far. */
  accepted(): number;
  /** From now on nothing passes in either direction, as with a stopped host; connections stay open. */
  freeze(): void;
  /** What was held back passes, and what comes after. */
  thaw(): void;
  /** Ends every connection without a word. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * @param target port on 127.0.0.1
 * @param dropFirst how many connections are closed as soon as they are accepted
 */
export async function startFaultProxy(target: number, dropFirst = 0): Promise<FaultProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let accepted = 0;
  let frozen = false;
  const server = createServer((near) => {
    accepted++;
    // By turns with and without the word that ends a connection.
    if (accepted <= dropFirst) return accepted % 2 === 1 ? near.resetAndDestroy() : near.destroy();
    const far = connect(target, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = (): void => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (chunk) => to.write(chunk));
      from.on("close", end);
      from.on("error", end);
      if (frozen) from.pause();
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const each = (act: (socket: Socket) => void): void => {
    for (const pair of pairs) pair.forEach(act);
  };
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    freeze() {
      frozen = true;
      each((socket) => socket.pause());
    },
    thaw() {
      frozen = false;
      each((socket) => socket.resume());
    },
    cut: () => each((socket) => socket.destroy()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        each((socket) => socket.destroy());
      }),
  };
}
