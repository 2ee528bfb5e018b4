/**
 * @module What a connection carries beside the answers that were asked for has an end, and so has what its host does not
 * read: packets that are to be ignored, requests that want replies, banners.
 */
import type { Duplex } from "node:stream";

export interface Traffic {
  /** Counts bytes that somebody asked for. */
  wanted(bytes: number): void;
}

/** Bytes that may come without having been asked for. */
const mostUnasked = 16 * 1024 * 1024;
/** A packet with one byte of output takes 44 bytes and more (RFC 4253, 6): as many are no excess. */
const packetOverhead = 64;
/** Bytes that wait to be read by the host. A channel holds its own back by its window. */
const mostUnread = 64 * 1024 * 1024;

/**
 * To be called when the socket has been paused: what comes before its reader listens would be lost.
 * @param onExcess called once with what the host does, in words that follow "the connection was lost:"
 */
export function watchTraffic(socket: Duplex, onExcess: (why: string) => void): Traffic {
  let received = 0;
  let wanted = 0;
  let over = false;
  const excess = (why: string): void => {
    over = true;
    onExcess(why);
  };
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (over) return;
    if (received - wanted > mostUnasked + packetOverhead * wanted)
      excess("it sent more than 16 MiB that nobody had asked for");
    else if (socket.writableLength > mostUnread) excess("it does not read what is sent to it");
  });
  return {
    wanted(bytes) {
      wanted += bytes;
    },
  };
}
