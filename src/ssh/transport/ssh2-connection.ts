/**
 * @module A logged-in `ssh2` client as a {@link Connection}. Whatever goes wrong with it is the end of this connection and
 * an error of its host: nothing that a host sends is thrown at anybody else.
 */
import type { Duplex } from "node:stream";
import type { Client } from "ssh2";
import type { ReachedLogin } from "../config/reached-login.ts";
import { deferred } from "../deferred.ts";
import { HostError, lookAtIt, tooMuch } from "../host-error.ts";
import { milliseconds } from "../milliseconds.ts";
import { printable } from "../printable.ts";
import {
  type ChannelLine,
  type EarlyStream,
  NoTerminal,
  openStream,
  takesTooLittle,
  wrapStream,
} from "./ssh2-channel.ts";
import { reasonOf } from "./ssh2-reason.ts";
import { watchStreams } from "./ssh2-streams.ts";
import type { Traffic } from "./traffic.ts";
import type { Connection } from "./transport.ts";

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

/** What a logged-in client goes over. */
export interface Wire {
  readonly socket: Duplex;
  readonly traffic: Traffic;
  /** To be called with why, when the host sends what nobody asked for. */
  onExcess(fail: (why: string) => void): void;
}

/** @param client has just become ready */
export function wrapClient(client: Client, wire: Wire, login: ReachedLogin): Ssh2Connection {
  const { socket, traffic } = wire;
  const ended = deferred<HostError | undefined>();
  /** Rejects when the connection has ended, for whoever waits for an answer on it. */
  const dead = deferred<never>();
  const streams = new Set<EarlyStream>();
  let reason = "the host closed it";
  let isExcess = false;
  let ending = false;
  let isDead = false;

  const over = (): HostError => {
    if (ending) return closedError(login);
    const lost = lostError(login, reason);
    return isExcess ? tooMuch(login.host, lost.message) : lost;
  };
  const die = (): void => {
    if (isDead) return;
    isDead = true;
    dead.reject(over());
    ended.resolve(ending ? undefined : over());
    // What had arrived before is delivered first.
    setImmediate(() => {
      for (const stream of streams) stream.lose();
      streams.clear();
    });
  };
  const fail = (why: string): void => {
    if (isDead) return;
    reason = why;
    // The stream of a connection through another host is closed when that one agrees.
    socket.destroy();
    die();
  };
  client.on("error", (error) => fail(reasonOf(error)));
  client.on("close", die);
  watchStreams(client, (stream) =>
    stream.on("error", () => fail("it sent something after the end of a stream")),
  );
  wire.onExcess((why) => {
    isExcess = true;
    fail(why);
  });

  const line: ChannelLine = {
    client,
    socket,
    over,
    fail,
    whyDead: () => (isDead ? over() : undefined),
    wanted: traffic.wanted,
  };
  return {
    ended: ended.promise,
    async open(command, events, terminal = false) {
      if (isDead || ending) throw over();
      const timer = setTimeout(
        () => fail(`it did not open a channel within ${login.connectTimeout} s`),
        milliseconds(login.connectTimeout),
      );
      try {
        const opening = openStream(line, command, terminal);
        const stream = await Promise.race([opening, dead.promise]);
        streams.add(stream);
        stream.stream.on("close", () => streams.delete(stream));
        return wrapStream(stream, events, line);
      } catch (error) {
        throw error instanceof NoTerminal ? noTerminal(login) : error;
      } finally {
        clearTimeout(timer);
      }
    },
    async forward(address, port) {
      if (isDead || ending) throw over();
      const opening = openForward(line, login, address, port);
      return Promise.race([opening, dead.promise]);
    },
    async end() {
      if (isDead) return;
      ending = true;
      const timer = setTimeout(() => {
        socket.destroy();
        die();
      }, goodbye);
      try {
        client.end();
      } catch {
        socket.destroy();
      }
      await ended.promise;
      clearTimeout(timer);
    },
  };
}

const closedError = ({ host }: ReachedLogin): HostError =>
  new HostError("closed", host, `the connection to ${host} was closed`);

const lostError = (login: ReachedLogin, reason: string): HostError =>
  new HostError(
    "lost",
    login.host,
    `the connection to ${login.host} was lost: ${inWords(reason, login)}`,
    reason === silent ? lookAtIt : "",
  );

/** What `ssh2` says of keep-alive messages that nobody answers. */
const silent = "Keepalive timeout";

function openForward(line: ChannelLine, login: ReachedLogin, address: string, port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    try {
      line.client.forwardOut("127.0.0.1", 0, address, port, (error, stream) => {
        if (error) return reject(line.whyDead() ?? notForwarded(login, address, port, error));
        if (takesTooLittle(stream)) line.fail("it wants its packets too small");
        // Paused, so that nothing is lost before its reader listens.
        stream.pause();
        stream.on("data", (chunk: Buffer) => line.wanted(chunk.length));
        resolve(stream);
      });
    } catch {
      reject(line.over());
    }
  });
}

/** RFC 4254, 5.1: SSH_OPEN_ADMINISTRATIVELY_PROHIBITED. */
const prohibitedReason = 1;

function notForwarded(
  login: ReachedLogin,
  address: string,
  port: number,
  error: Error & { reason?: unknown },
): HostError {
  const said = printable(error.message.replace(/^\(SSH\) Channel open failure: /, ""));
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
  return reason === silent
    ? `no answer to keep-alive messages for ${login.keepalive * (login.keepaliveCount + 1)} s`
    : reason;
}

function noTerminal({ host, becomeMethod }: ReachedLogin): HostError {
  return new HostError(
    "become_refused",
    host,
    `${becomeMethod} on ${host} wants a terminal (requiretty), and sshd gives none`,
    "Allow one with PermitTTY in sshd_config, or take requiretty out of sudoers.",
  );
}
