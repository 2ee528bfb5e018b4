/**
 * @module One attempt to connect and log in with `ssh2`, every stage of it under one time limit.
 */
import { connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import type { AnyAuthMethod, AuthHandlerMiddleware, ServerHostKeyAlgorithm } from "ssh2";
import ssh2 from "ssh2";
import type { Authentication } from "../auth/authentication.ts";
import { createAuthentication } from "../auth/authentication.ts";
import type { HostKeyPolicy } from "../auth/host-key.ts";
import { hostKeyPolicy } from "../auth/host-key.ts";
import { fingerprint, keyType } from "../auth/known-hosts.ts";
import type { ReachedLogin } from "../config/reached-login.ts";
import { deferred } from "../deferred.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { milliseconds } from "../milliseconds.ts";
import { printable } from "../printable.ts";
import { type Ssh2Connection, type Wire, wrapClient } from "./ssh2-connection.ts";
import { reasonOf, type Ssh2Error } from "./ssh2-reason.ts";
import { type Traffic, watchTraffic } from "./traffic.ts";

/** A handshake that ended before the keys were exchanged: nothing was said yet, so it is safe to try again. */
export class DroppedEarly extends Error {
  override readonly name = "DroppedEarly";
}

/** How far the attempt has come; the words complete "no answer while …". */
type Stage = "connecting" | "exchanging keys" | "logging in";

/** In the order of preference when nothing is known about the host. */
const hostKeyAlgorithms: readonly ServerHostKeyAlgorithm[] = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "rsa-sha2-512",
  "rsa-sha2-256",
  "ssh-rsa",
];

/** The byte stream to a host's sshd. */
export interface Stream {
  readonly stream: Duplex;
  /** What the program at the other end of it said when it ended, if it is one. */
  complaint?(): string | undefined;
}

/** Opens the stream; rejects with HostError, or with the system's error for a plain TCP connection. */
export type OpenStream = (signal: AbortSignal) => Promise<Stream>;

/** How one attempt is made. */
export interface Attempt {
  readonly open: OpenStream;
  /** Types of host keys to ask for first, besides those that are known. */
  readonly keyTypes: readonly string[];
  /** Milliseconds for all of it. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Told what happens, in words. */
  readonly say?: ((text: string) => void) | undefined;
}

/** What has happened in an attempt so far. */
interface Progress {
  stage: Stage;
  /** Set when the host key was refused: that is then the error, whatever `ssh2` says. */
  refusedKey?: HostError;
  opened?: Stream;
  traffic?: Traffic;
  /** The host's banner. */
  said: string;
}

/** Characters of a banner that are kept. */
const longestBanner = 2000;

/** @throws HostError when there is no point in trying again, DroppedEarly when there is */
export async function logIn(login: ReachedLogin, attempt: Attempt): Promise<Ssh2Connection> {
  const { signal } = attempt;
  const [policy, authentication] = await Promise.all([hostKeyPolicy(login), createAuthentication(login)]);
  const client = new ssh2.Client();
  const outcome = deferred<void>();
  const stop = new AbortController();
  const progress: Progress = { stage: "connecting", said: "" };
  const timer = setTimeout(() => outcome.reject(tooSlow(login, progress.stage)), Math.max(0, attempt.limit));
  const abort = (): void =>
    outcome.reject(new HostError("closed", login.host, `connecting to ${login.host} was given up`));
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();

  const fail = (error: Ssh2Error): void => {
    // The agent's own trouble ends its offer, not the login: `ssh2` goes on with the next one.
    if (error.level === "agent") return;
    outcome.reject(known(login, progress) ?? explain(login, progress.stage, error, authentication));
  };
  client.on("error", fail);
  client.on("close", () =>
    outcome.reject(known(login, progress) ?? closedEarly(login, progress, authentication)),
  );
  client.on("ready", () => outcome.resolve());
  let onExcess = (why: string): void =>
    outcome.reject(new HostError("unreachable", login.host, `${login.host} does not log in: ${why}`));
  follow(client, progress);
  const begin = (opened: Stream): void => {
    progress.opened = opened;
    if (stop.signal.aborted) return void opened.stream.destroy();
    progress.stage = "exchanging keys";
    // Told here before `ssh2` has marked it.
    opened.stream.prependListener("error", (error) => fail(Object.assign(error, { level: "client-socket" })));
    client.connect({
      ...connectConfig(login, policy, attempt, progress),
      sock: opened.stream,
      authHandler: handlerBy(authentication, policy, attempt.say, outcome.reject),
    });
    progress.traffic = watchTraffic(opened.stream, (why) => onExcess(why));
  };
  attempt
    .open(stop.signal)
    .then(begin, (error) => (error instanceof HostError ? outcome.reject(error) : fail(error as Ssh2Error)));

  try {
    await outcome.promise;
    const wire: Wire = {
      socket: progress.opened!.stream,
      traffic: progress.traffic!,
      onExcess(excess) {
        onExcess = excess;
      },
    };
    return wrapClient(client, wire, login);
  } catch (error) {
    stop.abort();
    progress.opened?.stream.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Keeps `progress` up to date with what the client reports. */
function follow(client: ssh2.Client, progress: Progress): void {
  client.on("banner", (text) => {
    progress.said = text.slice(0, longestBanner);
  });
  client.on("handshake", () => {
    progress.stage = "logging in";
  });
}

/** The error that is known from elsewhere, and says more than what `ssh2` reports. */
const known = (login: ReachedLogin, { refusedKey, opened }: Progress): HostError | undefined =>
  refusedKey ?? commandFailed(login, opened);

const connectConfig = (
  login: ReachedLogin,
  policy: HostKeyPolicy,
  { keyTypes, say }: Attempt,
  progress: Progress,
): ssh2.ConnectConfig => ({
  username: login.user,
  readyTimeout: 0,
  keepaliveInterval: milliseconds(login.keepalive),
  keepaliveCountMax: login.keepaliveCount,
  algorithms: { serverHostKey: preferring([...policy.preferred, ...keyTypes]) },
  hostVerifier: verifierBy(policy, say, (refusal) => {
    progress.refusedKey = refusal;
  }),
});

/** A plain connection over the network. */
export function openTcp(login: ReachedLogin, signal: AbortSignal): Promise<Stream> {
  const stream = connectTcp({ host: login.address, port: login.port, noDelay: true });
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => stream.destroy(), { once: true });
    stream.once("error", reject);
    stream.once("connect", () => {
      stream.off("error", reject);
      resolve({ stream });
    });
  });
}

/** A command that ended tells more than the connection that went with it. */
function commandFailed(login: ReachedLogin, opened: Stream | undefined): HostError | undefined {
  const complaint = opened?.complaint?.();
  if (complaint === undefined) return undefined;
  return new HostError("unreachable", login.host, `proxy_command of ${login.host} failed: ${complaint}`);
}

/** @param refuse is told why, before the refusal ends the connection */
function verifierBy(policy: HostKeyPolicy, say: Attempt["say"], refuse: (refusal: HostError) => void) {
  return (key: Buffer): boolean => {
    const refusal = policy.judge(key);
    say?.(`host key ${fingerprint(key)} (${keyType(key)}) ${refusal ? "refused" : "accepted"}`);
    if (refusal) refuse(refusal);
    return refusal === undefined;
  };
}

function handlerBy(
  authentication: Authentication,
  policy: HostKeyPolicy,
  say: Attempt["say"],
  failed: (error: unknown) => void,
): AuthHandlerMiddleware {
  return (accepted, partial, offer) => {
    if (accepted)
      say?.(`the host accepts ${printable(accepted.join(", "))}${partial ? ", and wants one more" : ""}`);
    policy
      .recorded()
      .then(() => authentication.next(accepted, partial === true))
      .then((method) => {
        say?.(method ? `offers ${authentication.offered()}` : "has nothing more to offer");
        return method;
      })
      // `false` ends the attempts; the package's types leave it out.
      .then((method) => offer(method ?? (false as unknown as AnyAuthMethod)))
      .catch(failed);
  };
}

/** The algorithms of known keys first: a host then shows the key that we know. */
function preferring(keyTypes: readonly string[]): ServerHostKeyAlgorithm[] {
  const types = keyTypes.flatMap((type) =>
    type === "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"] : [type],
  );
  const first = hostKeyAlgorithms.filter((algorithm) => types.includes(algorithm));
  return [...first, ...hostKeyAlgorithms.filter((algorithm) => !types.includes(algorithm))];
}

function tooSlow(login: Login, stage: Stage): HostError {
  const what =
    stage === "connecting"
      ? `no connection to ${login.address} port ${login.port}`
      : `${login.address} port ${login.port} accepted the connection but did not answer while ${stage}`;
  return new HostError(
    "unreachable",
    login.host,
    `${what} within ${login.connectTimeout} s`,
    "connect_timeout changes the limit.",
  );
}

/** @param said the host's last words: an account that has expired is told so (RFC 4252, 5.4) */
function closedEarly(login: Login, { stage, said }: Progress, authentication: Authentication): Error {
  if (stage !== "logging in") return new DroppedEarly("connection closed");
  const words = printable(said);
  const message = `${login.host} closed the connection while logging in`;
  const { advice } = authentication.refused();
  return new HostError(
    "unreachable",
    login.host,
    words === "" ? message : `${message}; it said: ${words}`,
    advice,
  );
}

function explain(login: Login, stage: Stage, error: Ssh2Error, authentication: Authentication): Error {
  if (error.code === "ECONNRESET" && stage !== "logging in") return new DroppedEarly(reasonOf(error));
  if (stage === "connecting") return noConnection(login, error);
  if (stage === "exchanging keys") {
    const dropped = error.level === "client-socket" || error.message === "Connection lost before handshake";
    if (dropped) return new DroppedEarly(reasonOf(error));
    return new HostError(
      "unreachable",
      login.host,
      `no SSH with ${login.address} port ${login.port}: ${reasonOf(error)}`,
      "",
      false,
      { cause: error },
    );
  }
  if (error.level === "client-authentication") return authentication.refused();
  // A disconnect message of the host carries a number: "Too many authentication failures".
  if (typeof error.code === "number") return authentication.refused(reasonOf(error));
  return new HostError(
    "unreachable",
    login.host,
    `${login.host} closed the connection while logging in: ${reasonOf(error)}`,
    "",
    false,
    { cause: error },
  );
}

/** The usual errors of a socket in words. */
function noConnection(login: Login, error: Ssh2Error): HostError {
  const where = `${login.address} port ${login.port}`;
  const known: Record<string, string> = {
    ECONNREFUSED: `${where} refused the connection`,
    ENOTFOUND: `the name ${login.address} cannot be resolved`,
    EAI_AGAIN: `the name ${login.address} cannot be resolved at the moment`,
    EHOSTUNREACH: `there is no route to ${where}`,
    ENETUNREACH: `there is no route to ${where}`,
    ETIMEDOUT: `no connection to ${where}: timed out`,
  };
  const message = known[String(error.code)] ?? `no connection to ${where}: ${reasonOf(error)}`;
  return new HostError("unreachable", login.host, message, "", false, { cause: error });
}
