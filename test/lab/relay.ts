/**
 * @module A TCP relay that makes a host seem far away, for kernels that cannot delay packets (netem).
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Relay {
  readonly address: "127.0.0.1";
  readonly port: number;
  /** Ends the relay and all that goes through it. */
  close(): Promise<void>;
}

/** Passes on what comes in, and its end, `delay` milliseconds later. */
function carry(from: Socket, to: Socket, delay: number): void {
  // Timers of one duration fire in the order in which they were set, so pieces keep theirs.
  from.on("data", (piece) => void setTimeout(() => to.writable && to.write(piece), delay));
  from.on("end", () => void setTimeout(() => to.end(), delay));
  from.on("error", () => to.destroy());
}

/**
 * Listens on loopback and relays to a host, as if the way there and back took `roundTrip` milliseconds. Connecting itself
 * succeeds at once, for the kernel does that; but the host sees the connection, and what came over it, only after a round
 * trip and a half, as it would with TCP's three-way handshake. Loss and bandwidth are not imitated.
 */
export async function delayingRelay(
  target: { readonly address: string; readonly port: number },
  roundTrip: number,
): Promise<Relay> {
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.setNoDelay();
    socket.on("close", () => open.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    const early: Buffer[] = [];
    const collect = (piece: Buffer) => void early.push(piece);
    near.on("data", collect);
    near.on("error", () => near.destroy());
    setTimeout(() => {
      if (near.destroyed) return;
      const far = connect({ host: target.address, port: target.port, allowHalfOpen: true });
      keep(far);
      near.off("data", collect);
      for (const piece of early) far.write(piece);
      carry(near, far, roundTrip / 2);
      carry(far, near, roundTrip / 2);
    }, 1.5 * roundTrip);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
