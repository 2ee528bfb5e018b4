/**
 * @module A channel of `ssh2` that runs a command, as a {@link Channel}.
 */
import { constants } from "node:os";
import type { Duplex } from "node:stream";
import type { Client, ClientChannel, PseudoTtyOptions } from "ssh2";
import type { HostError } from "../host-error.ts";
import { printable } from "../printable.ts";
import type { Channel, ChannelEvents } from "./transport.ts";
import { ChannelRefused } from "./transport.ts";

/** What a channel has to do with its connection. */
export interface ChannelLine {
  readonly client: Client;
  /** What the connection goes over. */
  readonly socket: Duplex;
  /** Why the connection has ended, once it has. */
  whyDead(): HostError | undefined;
  /** The error for a request that the end of the connection answers. */
  over(): HostError;
  /** Ends the connection: the host does what no server does. */
  fail(why: string): void;
  /** Counts bytes that came by a channel. */
  wanted(bytes: number): void;
}

/** A stream with listeners for what may come before anyone else can listen. */
export interface EarlyStream {
  readonly stream: ClientChannel;
  listen(deliver: (event: (events: ChannelEvents) => void) => void): void;
  /** The connection has ended: whatever the stream still waits for, it is closed. */
  lose(): void;
}

/** The host gives no terminal. */
export class NoTerminal extends Error {
  override readonly name = "NoTerminal";
}

/**
 * A terminal that is clean from its first moment: set in the request itself, since whatever comes before `stty` has run
 * would be repeated. Names of RFC 4254, 8.
 */
const rawTerminal: PseudoTtyOptions = {
  term: "dumb",
  cols: 200,
  rows: 50,
  modes: { ECHO: 0, ICANON: 0, OPOST: 0, ISIG: 0, ICRNL: 0, IXON: 0, IEXTEN: 0 },
};

/**
 * Bytes of the smallest packets that a host may ask for: RFC 4253, 6.1 has all take 32,768. With none `ssh2` would send
 * empty ones without end, with few it would be busy with one host alone.
 */
const smallestPacket = 256;

/** What `ssh2` keeps of a channel that its types leave out. */
interface Inner {
  readonly outgoing?: { readonly packetSize?: number };
}

/** Whether nothing can be sent on a stream as the host wants it. */
export const takesTooLittle = (stream: unknown): boolean =>
  ((stream as Inner).outgoing?.packetSize ?? smallestPacket) < smallestPacket;

/** @throws ChannelRefused, NoTerminal, HostError */
export function openStream(line: ChannelLine, command: string, terminal: boolean): Promise<EarlyStream> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error & { reason?: unknown }): void =>
      reject(
        line.whyDead() !== undefined || error.reason === undefined
          ? line.over()
          : new ChannelRefused(printable(error.message)),
      );
    try {
      line.client.exec(command, terminal ? { pty: rawTerminal } : {}, (error, stream) => {
        if (!error) {
          if (takesTooLittle(stream)) line.fail("it wants its packets too small");
          resolve(listenEarly(stream, line));
        } else if (/pseudo-terminal/i.test(error.message)) reject(new NoTerminal(error.message));
        else if (/unable to exec/i.test(error.message)) reject(new ChannelRefused(error.message));
        else failed(error);
      });
    } catch (error) {
      failed(error as Error);
    }
  });
}

/** `ssh2` reports `exit` and `close` once, perhaps in the packet that opened the channel: they are kept until wanted. */
function listenEarly(stream: ClientChannel, line: ChannelLine): EarlyStream {
  let deliver: ((event: (events: ChannelEvents) => void) => void) | undefined;
  const early: ((events: ChannelEvents) => void)[] = [];
  let reported = false;
  const report = (event: (events: ChannelEvents) => void): void => {
    if (reported) return;
    if (deliver) deliver(event);
    else early.push(event);
  };
  const open = { stdout: true, stderr: true, channel: true };
  const closed = (): void => {
    report((events) => events.closed(line.whyDead()));
    reported = true;
  };
  const over = (what: keyof typeof open): void => {
    open[what] = false;
    if (!open.stdout && !open.stderr && !open.channel) closed();
  };
  stream.on("data", (chunk: Buffer) => {
    line.wanted(chunk.length);
    report((events) => events.stdout(chunk));
  });
  stream.stderr.on("data", (chunk: Buffer) => {
    line.wanted(chunk.length);
    report((events) => events.stderr(chunk));
  });
  stream.on("exit", (code: number | null, signal?: string) => {
    const status = code ?? 128 + signalNumber(signal ?? "");
    report((events) => events.exit(status));
  });
  stream.on("error", () => over("channel"));
  stream.on("end", () => over("stdout"));
  stream.stderr.on("end", () => over("stderr"));
  stream.on("close", () => over("channel"));
  return {
    stream,
    listen(to) {
      deliver = to;
      for (const event of early) to(event);
    },
    lose: closed,
  };
}

export function wrapStream(early: EarlyStream, events: ChannelEvents, line: ChannelLine): Channel {
  const { stream, listen } = early;
  let open = true;
  // After this turn, so that whoever opened the channel holds it before the first event.
  setImmediate(() =>
    listen((event) => {
      if (open) event(events);
    }),
  );
  const usable = (): boolean => open && !line.whyDead() && stream.writable;
  /** `ssh2` throws from whatever it can send no more. */
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch {
      line.fail("it did not keep to the protocol");
    }
  };
  return {
    write(data) {
      if (usable()) attempt(() => stream.write(data));
    },
    async drained() {
      while (usable()) {
        // A host whose window has no end holds nothing back: then the network does.
        const full = [stream, line.socket].find((one) => one.writableNeedDrain);
        if (full === undefined) return;
        await drainOf(full, stream);
      }
    },
    end() {
      if (usable()) attempt(() => stream.end());
    },
    close() {
      if (!open) return;
      open = false;
      if (!line.whyDead()) attempt(() => stream.close());
    },
  };
}

/** Resolves when the stream takes more, or the channel has ended. */
function drainOf(full: Duplex, channel: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      full.off("drain", done).off("close", done);
      channel.off("close", done);
      resolve();
    };
    full.on("drain", done).on("close", done);
    if (channel !== full) channel.on("close", done);
  });
}

/** RFC 4254, 6.10 names signals without "SIG"; `ssh2` puts it back. */
function signalNumber(name: string): number {
  return (constants.signals as Record<string, number | undefined>)[name] ?? 0;
}
