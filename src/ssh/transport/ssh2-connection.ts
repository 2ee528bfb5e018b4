/**
 * @module A logged-in `ssh2` client as a {@link Connection}.
 */
import { constants } from "node:os";
import type { Duplex } from "node:stream";
import type { Client, ClientChannel, PseudoTtyOptions } from "ssh2";
import type { ReachedLogin } from "../config/reached-login.ts";
import { deferred } from "../deferred.ts";
import { HostError } from "../host-error.ts";
import { milliseconds } from "../milliseconds.ts";
import type { Channel, ChannelEvents, Connection } from "./transport.ts";
import { ChannelRefused } from "./transport.ts";

/** Milliseconds that a host has to close its side. */
const goodbye = 1000;

/** A connection that can also carry others. */
export interface Ssh2Connection extends Connection {
  /**
   * A stream to a port as the host sees it, for a host that is reached through this one.
   * @throws HostError with code `unreachable` when the host cannot, `lost` or `closed` when the connection has ended
   */
  forward(address: string, port: number): Promise<Duplex>;
}

/**
 * @param client has just become ready
 * @param socket what it speaks over
 */
export function wrapClient(client: Client, socket: Duplex, login: ReachedLogin): Ssh2Connection {
  const ended = deferred<HostError | undefined>();
  const closed = deferred<void>();
  let reason = "the host closed it";
  let ending = false;
  let dead = false;

  client.on("error", (error) => {
    reason = error.message;
  });
  client.on("close", () => {
    dead = true;
    closed.resolve();
    ended.resolve(ending ? undefined : over());
  });
  const over = (): HostError =>
    ending
      ? new HostError("closed", login.host, `the connection to ${login.host} was closed`)
      : new HostError(
          "lost",
          login.host,
          `the connection to ${login.host} was lost: ${inWords(reason, login)}`,
        );
  const whyDead = (): HostError | undefined => (dead ? over() : undefined);

  return {
    ended: ended.promise,
    async open(command, events, terminal = false) {
      if (dead || ending) throw over();
      const timer = setTimeout(() => {
        reason = `it did not open a channel within ${login.connectTimeout} s`;
        socket.destroy();
      }, milliseconds(login.connectTimeout));
      try {
        const stream = await exec(client, command, terminal, whyDead, over);
        return wrapStream(stream, events, whyDead);
      } catch (error) {
        throw error instanceof NoTerminal ? noTerminal(login) : error;
      } finally {
        clearTimeout(timer);
      }
    },
    async forward(address, port) {
      if (dead || ending) throw over();
      return new Promise((resolve, reject) => {
        client.forwardOut("127.0.0.1", 0, address, port, (error, stream) => {
          if (!error) resolve(stream);
          else reject(whyDead() ?? notForwarded(login, address, port, error));
        });
      });
    },
    async end() {
      if (dead) return;
      ending = true;
      const timer = setTimeout(() => socket.destroy(), goodbye);
      client.end();
      await closed.promise;
      clearTimeout(timer);
    },
  };
}

/** RFC 4254, 5.1: SSH_OPEN_ADMINISTRATIVELY_PROHIBITED. */
const prohibitedReason = 1;

function notForwarded(
  login: ReachedLogin,
  address: string,
  port: number,
  error: Error & { reason?: unknown },
): HostError {
  const said = error.message.replace(/^\(SSH\) Channel open failure: /, "");
  const prohibited = error.reason === prohibitedReason;
  return new HostError(
    "unreachable",
    login.host,
    `${login.host} made no connection to ${address} port ${port}: ${prohibited ? "its sshd forbids it" : said}`,
    prohibited ? "AllowTcpForwarding, PermitOpen and DisableForwarding in its sshd_config say so." : "",
    false,
    { cause: error },
  );
}

function inWords(reason: string, login: ReachedLogin): string {
  return reason === "Keepalive timeout"
    ? `no answer to keep-alive messages for ${login.keepalive * (login.keepaliveCount + 1)} s`
    : reason;
}

/** A stream with listeners for what may come before anyone else can listen. */
interface EarlyStream {
  readonly stream: ClientChannel;
  listen(deliver: (event: (events: ChannelEvents) => void) => void): void;
}

class NoTerminal extends Error {
  override readonly name = "NoTerminal";
}

function noTerminal({ host, becomeMethod }: ReachedLogin): HostError {
  return new HostError(
    "become_refused",
    host,
    `${becomeMethod} on ${host} wants a terminal (requiretty), and sshd gives none`,
    "Allow one with PermitTTY in sshd_config, or take requiretty out of sudoers.",
  );
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

function exec(
  client: Client,
  command: string,
  terminal: boolean,
  whyDead: () => HostError | undefined,
  over: () => HostError,
): Promise<EarlyStream> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error & { reason?: unknown }): void =>
      reject(
        whyDead() !== undefined || error.reason === undefined ? over() : new ChannelRefused(error.message),
      );
    try {
      client.exec(command, terminal ? { pty: rawTerminal } : {}, (error, stream) => {
        if (!error) resolve(listenEarly(stream, whyDead));
        else if (/pseudo-terminal/i.test(error.message)) reject(new NoTerminal(error.message));
        else if (/unable to exec/i.test(error.message)) reject(new ChannelRefused(error.message));
        else failed(error);
      });
    } catch (error) {
      failed(error as Error);
    }
  });
}

/** `exit` and `close` are told once, perhaps in the packet that opened the channel: they are kept until wanted. */
function listenEarly(stream: ClientChannel, whyDead: () => HostError | undefined): EarlyStream {
  let deliver: ((event: (events: ChannelEvents) => void) => void) | undefined;
  const early: ((events: ChannelEvents) => void)[] = [];
  const tell = (event: (events: ChannelEvents) => void): void => {
    if (deliver) deliver(event);
    else early.push(event);
  };
  const open = { stdout: true, stderr: true, channel: true };
  const over = (what: keyof typeof open): void => {
    if (!open[what]) return;
    open[what] = false;
    if (!open.stdout && !open.stderr && !open.channel) tell((events) => events.closed(whyDead()));
  };
  stream.on("data", (chunk: Buffer) => tell((events) => events.stdout(chunk)));
  stream.stderr.on("data", (chunk: Buffer) => tell((events) => events.stderr(chunk)));
  stream.on("exit", (code: number | null, signal?: string) => {
    const status = code ?? 128 + signalNumber(signal ?? "");
    tell((events) => events.exit(status));
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
  };
}

function wrapStream(
  { stream, listen }: EarlyStream,
  events: ChannelEvents,
  whyDead: () => HostError | undefined,
): Channel {
  let open = true;
  // After this turn, so that whoever opened the channel holds it before the first event.
  setImmediate(() =>
    listen((event) => {
      if (open) event(events);
    }),
  );
  const usable = (): boolean => open && !whyDead() && stream.writable;
  return {
    write(data) {
      if (usable()) stream.write(data);
    },
    drained() {
      if (!usable() || !stream.writableNeedDrain) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          stream.off("drain", done).off("close", done);
          resolve();
        };
        stream.on("drain", done).on("close", done);
      });
    },
    end() {
      if (usable()) stream.end();
    },
    close() {
      if (!open) return;
      open = false;
      if (!whyDead()) stream.close();
    },
  };
}

/** RFC 4254, 6.10 names signals without "SIG"; `ssh2` puts it back. */
function signalNumber(name: string): number {
  return (constants.signals as Record<string, number | undefined>)[name] ?? 0;
}
