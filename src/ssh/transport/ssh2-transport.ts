/**
 * @module The default transport: SSH in this process, by the `ssh2` package.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { mayStartPrograms } from "../../programs/start.ts";
import type { Passphrases } from "../auth/asked-passphrases.ts";
import { keyTypeRounds } from "../auth/host-key.ts";
import type { ReachedLogin } from "../config/reached-login.ts";
import { createGate } from "../gate.ts";
import { HostError, programRefused } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { milliseconds } from "../milliseconds.ts";
import { systemReason } from "../system-reason.ts";
import { logNameOf, type ReportHostEvent } from "../trace/host-event.ts";
import { createJumpHosts, type HeldJumpHost, type JumpHosts } from "./jump-hosts.ts";
import { type JumpPath, jumpPathTo } from "./jump-path.ts";
import { startProxyCommand } from "./proxy-command.ts";
import { afterAttempts, mayTryAgain, pauseAfter, wasRefused } from "./retries.ts";
import type { Ssh2Connection } from "./ssh2-connection.ts";
import { DroppedEarly } from "./ssh2-errors.ts";
import { logIn, type OpenStream, openTcp } from "./ssh2-login.ts";
import type { LoginWarning, Transport } from "./transport.ts";

export interface Ssh2TransportOptions {
  /** Asked for the passphrase of a key that a login needs and has none for. */
  readonly passphrases?: Passphrases;
  /** How many hosts may be connected to and logged in to at the same time; 64. */
  readonly handshakes?: number;
  /** Gets what a person should know, once per connection. */
  warn?(warning: LoginWarning): void;
  /** Gets the progress of a login: host keys, offers, attempts. */
  readonly report?: ReportHostEvent;
}

/** Makes the transport; it holds nothing open by itself. */
export function createSsh2Transport(options: Ssh2TransportOptions = {}): Transport {
  const handshakes = createGate(options.handshakes ?? 64);
  const jumpHosts = createJumpHosts((jumpPath, signal) => connectBy(jumpPath, signal));

  const connectBy = async (jumpPath: JumpPath, signal: AbortSignal): Promise<Ssh2Connection> => {
    const { via } = jumpPath;
    if (via !== "network")
      options.report?.({ host: logNameOf(jumpPath.login), kind: "login", text: wayOf(via) });
    const passphrase = await options.passphrases?.(jumpPath.login);
    const login = passphrase === undefined ? jumpPath.login : { ...jumpPath.login, passphrase };
    // Whoever waits for a hop must not take the turn that the hop needs.
    const jumpHost =
      via !== "network" && "jumpHost" in via
        ? await holdJumpHost(jumpHosts, login, via.jumpHost, signal)
        : undefined;
    const leave = await handshakes.enter();
    try {
      const connection = await logInPatiently(login, streamBy(jumpPath, jumpHost), signal, options);
      connection.ended.then(() => jumpHost?.release());
      return connection;
    } catch (error) {
      jumpHost?.release();
      throw error;
    } finally {
      leave();
    }
  };
  return {
    async connect(login, signal) {
      const jumpPath = await jumpPathTo(login);
      for (const text of warningsOf(jumpPath)) options.warn?.({ about: "ssh_config", text });
      return connectBy(jumpPath, signal);
    },
  };
}

const wayOf = (via: Exclude<JumpPath["via"], "network">): string =>
  "jumpHost" in via ? `goes through ${via.jumpHost.login.host}` : "goes through its proxy command";

function streamBy({ login, via }: JumpPath, jumpHost: HeldJumpHost | undefined): OpenStream {
  if (jumpHost) {
    return async () => ({
      stream: await jumpHost.connection.forward(login.address, login.port).catch((error) => {
        throw onJumpPath(login, error);
      }),
    });
  }
  if (via !== "network" && "command" in via) {
    if (!mayStartPrograms()) throw programRefused(login.host, "its proxy command");
    return async () => startProxyCommand(via.command);
  }
  return (signal) => openTcp(login, signal);
}

async function holdJumpHost(
  jumpHosts: JumpHosts,
  login: ReachedLogin,
  jumpHost: JumpPath,
  signal: AbortSignal,
): Promise<HeldJumpHost> {
  try {
    return await jumpHosts.hold(jumpHost, signal);
  } catch (error) {
    throw onJumpPath(login, error);
  }
}

/** An error of a hop as one of the host behind it: the message names both. */
function onJumpPath(login: ReachedLogin, error: unknown): unknown {
  if (!(error instanceof HostError) || error.code === "closed") return error;
  const message = `on the way to ${login.host}: ${error.message}`;
  return new HostError(error.code, login.host, message, error.advice, false, { cause: error });
}

function warningsOf({ login, via }: JumpPath): readonly string[] {
  return [...login.warnings, ...(via !== "network" && "jumpHost" in via ? warningsOf(via.jumpHost) : [])];
}

/** Attempts until one counts, all of them within the login's time limit. */
async function logInPatiently(
  login: ReachedLogin,
  open: OpenStream,
  signal: AbortSignal,
  { report, warn }: Ssh2TransportOptions,
): Promise<Ssh2Connection> {
  const weak = warn && ((text: string): void => warn({ about: "algorithms", text }));
  const say = report && ((text: string): void => report({ host: logNameOf(login), kind: "login", text }));
  const deadline = Date.now() + milliseconds(login.connectTimeout);
  const rounds = [...keyTypeRounds(login)];
  for (let attempts = 1; ; ) {
    try {
      return await logIn(login, {
        open,
        keyTypes: rounds[0]!,
        limit: deadline - Date.now(),
        signal,
        report: say,
        warn: weak,
      });
    } catch (error) {
      if (error instanceof HostError && error.code === "host_key_changed" && rounds.length > 1) {
        rounds.shift();
        say?.("tries again for a host key of another type");
        continue;
      }
      const failure = error instanceof DroppedEarly ? "dropped" : wasRefused(error) ? "refused" : undefined;
      if (failure === undefined) throw expected(login, error);
      const pause = pauseAfter(attempts);
      if (!mayTryAgain(login, failure, attempts) || Date.now() + pause >= deadline)
        throw givenUp(login, error, attempts);
      attempts++;
      say?.(`tries again in ${Math.round(pause)} ms: ${(error as Error).message}`);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }
}

const givenUp = (login: Login, error: unknown, attempts: number): HostError =>
  error instanceof DroppedEarly
    ? droppedToTheEnd(login, attempts, error)
    : afterAttempts(expected(login, error), attempts);

/** What no one foresaw still names its host. */
function expected(login: Login, error: unknown): HostError {
  if (error instanceof HostError) return error;
  const message = `no login on ${login.host}: ${systemReason(error)}`;
  return new HostError("unreachable", login.host, message, "", false, { cause: error });
}

function droppedToTheEnd(login: Login, attempts: number, cause: Error): HostError {
  return new HostError(
    "unreachable",
    login.host,
    `${login.address} port ${login.port} closed the connection ${attempts === 1 ? "" : `${attempts} times `}before keys were exchanged: ${cause.message}`,
    "Its sshd may be refusing new connections (MaxStartups), or something else than sshd listens there.",
    false,
    { cause },
  );
}
