/**
 * @module One attempt to connect and log in with `ssh2`, every stage of it under one time limit.
 */
import { connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import type { AnyAuthMethod, AuthHandlerMiddleware } from "ssh2";
import ssh2 from "ssh2";
import type { Authentication } from "../auth/authentication.ts";
import { createAuthentication } from "../auth/authentication.ts";
import type { HostKeyPolicy } from "../auth/host-key.ts";
import { hostKeyPolicy } from "../auth/host-key.ts";
import { fingerprint, keyType } from "../auth/known-hosts.ts";
import type { ReachedLogin } from "../config/reached-login.ts";
import { deferred } from "../deferred.ts";
import { HostError } from "../host-error.ts";
import { milliseconds } from "../milliseconds.ts";
import { printable } from "../printable.ts";
import { type Negotiated, offeredAlgorithms, weaknessesOf } from "./offered-algorithms.ts";
import { overhear, overhearGreeting } from "./overheard.ts";
import { type Ssh2Connection, type Wire, wrapClient } from "./ssh2-connection.ts";
import { closedEarly, explain, type Progress, passwordExpired, tooSlow } from "./ssh2-errors.ts";
import type { Ssh2Error } from "./ssh2-reason.ts";
import { type Traffic, watchTraffic } from "./traffic.ts";

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
  /** Gets what happens, in words. */
  readonly report?: ((text: string) => void) | undefined;
  /** Gets a sentence about a connection that may be weak. */
  readonly warn?: ((warning: string) => void) | undefined;
}

/** What has happened in an attempt so far. */
interface State extends Progress {
  /** Set when the host key was refused: that is then the error, whatever `ssh2` says. */
  refusedKey?: HostError;
  opened?: Stream;
  traffic?: Traffic;
  /** The host's answer to the last offer, until that is looked at. */
  answer?: { readonly methods: readonly string[]; readonly partial: boolean };
  /** Whether the host has answered to any offer. */
  answered?: true;
  /** What the host says to everybody, before it knows who comes. */
  banner: string;
}

/** Characters of {@link Progress.said} that are kept. */
const longestWords = 4000;
/** Lines of what `ssh2` reports of algorithms, and characters of each. */
const [mostLines, longestLine] = [32, 2000];

/** @throws HostError when there is no point in trying again, DroppedEarly when there is */
export async function logIn(login: ReachedLogin, attempt: Attempt): Promise<Ssh2Connection> {
  const { signal } = attempt;
  const [policy, authentication] = await Promise.all([hostKeyPolicy(login), createAuthentication(login)]);
  const algorithms = offeredAlgorithms(login, [...policy.preferred, ...attempt.keyTypes]);
  const client = new ssh2.Client();
  const outcome = deferred<void>();
  const stop = new AbortController();
  const progress: State = {
    stage: "connecting",
    said: "",
    banner: "",
    algorithms: [],
    wantsNewPassword: false,
  };
  const timer = setTimeout(() => outcome.reject(tooSlow(login, progress)), Math.max(0, attempt.limit));
  const abort = (): void =>
    outcome.reject(new HostError("closed", login.host, `connecting to ${login.host} was given up`));
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();

  const fail = (error: Ssh2Error): void => {
    // The agent's own trouble ends its offer, not the login: `ssh2` goes on with the next one.
    if (error.level === "agent") return;
    outcome.reject(known(login, progress) ?? explain(login, progress, error, authentication));
  };
  client.on("error", fail);
  client.on("close", () => {
    const said = `${progress.banner}\n${progress.said}`;
    outcome.reject(known(login, progress) ?? closedEarly(login, { ...progress, said }, authentication));
  });
  client.on("ready", () => outcome.resolve());
  let onExcess = (why: string): void =>
    outcome.reject(new HostError("unreachable", login.host, `${login.host} does not log in: ${why}`));
  follow(client, progress, (negotiated) => {
    for (const text of weaknessesOf(login, negotiated)) attempt.warn?.(text);
  });
  const begin = (opened: Stream): void => {
    progress.opened = opened;
    if (stop.signal.aborted) return void opened.stream.destroy();
    progress.stage = "exchanging keys";
    // Called here before `ssh2` has marked it.
    opened.stream.prependListener("error", (error) => fail(Object.assign(error, { level: "client-socket" })));
    client.connect({
      ...connectConfig(login, policy, attempt, progress),
      algorithms,
      sock: opened.stream,
      authHandler: handlerBy(authentication, policy, progress, attempt.report, outcome.reject),
    });
    progress.traffic = watchTraffic(opened.stream, (why) => onExcess(why));
    listen(client, opened, progress, () =>
      outcome.reject(passwordExpired(login, `${progress.banner}\n${progress.said}`)),
    );
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

/** @param negotiated gets the result of the first key exchange */
function follow(client: ssh2.Client, progress: State, negotiated: (outcome: Negotiated) => void): void {
  client.on("handshake", () => {
    progress.stage = "logging in";
  });
  client.once("handshake", negotiated);
}

/** Keeps what the host says. */
function listen(client: ssh2.Client, { stream }: Stream, progress: State, expired: () => void): void {
  const add = (before: string, text: string): string => `${before}\n${text}`.trim().slice(-longestWords);
  const said = (text: string): void => {
    if (progress.stage === "logging in" && !progress.answered) progress.banner = add(progress.banner, text);
    else progress.said = add(progress.said, text);
  };
  overhearGreeting(stream, said);
  overhear(client, {
    said,
    answered(methods, partial) {
      progress.answered = true;
      progress.answer = { methods, partial };
    },
    wantsNewPassword() {
      progress.wantsNewPassword = true;
      expired();
    },
  });
}

/** The error that is known from elsewhere, and says more than what `ssh2` reports. */
const known = (login: ReachedLogin, { refusedKey, opened }: State): HostError | undefined =>
  refusedKey ?? commandFailed(login, opened);

const connectConfig = (
  login: ReachedLogin,
  policy: HostKeyPolicy,
  { report }: Attempt,
  progress: State,
): ssh2.ConnectConfig => ({
  username: login.user,
  readyTimeout: 0,
  keepaliveInterval: milliseconds(login.keepalive),
  keepaliveCountMax: login.keepaliveCount,
  // For what it reports of the host's algorithms.
  debug(text) {
    if (text.startsWith("Handshake: (remote)") && progress.algorithms.length < mostLines)
      progress.algorithms.push(text.slice(0, longestLine));
  },
  hostVerifier: verifierBy(policy, report, (refusal) => {
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

/** The error of a command that ended says more than that of the connection lost with it. */
function commandFailed(login: ReachedLogin, opened: Stream | undefined): HostError | undefined {
  const complaint = opened?.complaint?.();
  if (complaint === undefined) return undefined;
  return new HostError("unreachable", login.host, `proxy_command of ${login.host} failed: ${complaint}`);
}

/** @param refuse gets the reason before the refusal ends the connection */
function verifierBy(policy: HostKeyPolicy, report: Attempt["report"], refuse: (refusal: HostError) => void) {
  return (key: Buffer): boolean => {
    const refusal = policy.judge(key);
    report?.(`host key ${fingerprint(key)} (${keyType(key)}) ${refusal ? "refused" : "accepted"}`);
    if (refusal) refuse(refusal);
    return refusal === undefined;
  };
}

function handlerBy(
  authentication: Authentication,
  policy: HostKeyPolicy,
  progress: State,
  report: Attempt["report"],
  failed: (error: unknown) => void,
): AuthHandlerMiddleware {
  // Of an agent's key `ssh2` does not report that it was good for a part.
  return (_accepted, _partial, offer) => {
    const { methods: accepted, partial } = progress.answer ?? { methods: null, partial: false };
    delete progress.answer;
    if (accepted)
      report?.(`the host accepts ${printable(accepted.join(", "))}${partial ? ", and wants one more" : ""}`);
    policy
      .recorded()
      .then(() => authentication.next(accepted, partial))
      .then((method) => {
        report?.(method ? `offers ${authentication.offered()}` : "has nothing more to offer");
        return method;
      })
      // `false` ends the attempts; the package's types leave it out.
      .then((method) => offer(method ?? (false as unknown as AnyAuthMethod)))
      .catch(failed);
  };
}
