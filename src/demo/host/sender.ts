/**
 * @module Writes a command's two output streams to its channel, one piece at a time.
 *
 * `ssh2` keeps a piece that waits for the client's window in the channel, and forgets neither which stream waits nor that
 * the piece has been sent: with both streams waiting, one is sent twice and the other never. So only one waits at a time,
 * and what was kept is dropped after each.
 */
import type { ServerChannel } from "ssh2";

export interface Sender {
  /** Sends after what was queued before; `sent` is called when the next piece is welcome. */
  send(stream: "stdout" | "stderr", chunk: Buffer, sent: () => void): void;
  /** Ends the channel after what was queued. */
  end(): void;
}

/** What `ssh2` keeps of a write that waited. */
interface Kept {
  _chunk: unknown;
  _chunkcb: unknown;
  _chunkErr: unknown;
  _chunkcbErr: unknown;
}

export function createSender(channel: ServerChannel): Sender {
  const queue: { stream: "stdout" | "stderr"; chunk: Buffer; sent: () => void }[] = [];
  let busy = false;
  let ending = false;

  const next = (): void => {
    const piece = queue.shift();
    if (!piece) {
      busy = false;
      if (ending) channel.end();
      return;
    }
    busy = true;
    const target = piece.stream === "stdout" ? channel : channel.stderr;
    target.write(piece.chunk, () => {
      Object.assign(channel as unknown as Kept, {
        _chunk: undefined,
        _chunkcb: undefined,
        _chunkErr: undefined,
        _chunkcbErr: undefined,
      });
      piece.sent();
      next();
    });
  };

  return {
    send(stream, chunk, sent) {
      queue.push({ stream, chunk, sent });
      if (!busy) next();
    },
    end() {
      ending = true;
      if (!busy) channel.end();
    },
  };
}
