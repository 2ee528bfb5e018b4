/**
 * @module Hosts reached with the system's `ssh`: one process holds the connection, each channel is another one that goes
 * through its control socket (ssh_config(5), ControlPath). For certificates, hardware keys, GSSAPI.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isNowhere, startProgram } from "../../programs/start.ts";
import type { Passphrases } from "../auth/asked-passphrases.ts";
import { type ReachedLogin, reachedLogin } from "../config/reached-login.ts";
import { deferred } from "../deferred.ts";
import { createGate } from "../gate.ts";
import { HostError, lookAtIt } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { milliseconds } from "../milliseconds.ts";
import { printable } from "../printable.ts";
import { systemReason } from "../system-reason.ts";
import { logNameOf, type ReportHostEvent } from "../trace/host-event.ts";
import { type CommandMeans, opensshCommand } from "./openssh-command.ts";
import { explainOpenssh, keyNotRecorded, passingFailure } from "./openssh-errors.ts";
import { createPrivateAgents } from "./private-agent.ts";
import { type ProcessChannel, processChannel, startedProcess } from "./process-channel.ts";
import { afterAttempts, mayTryAgain, pauseAfter } from "./retries.ts";
import { makeShortDirectory } from "./short-directory.ts";
import type { ChannelEvents, Connection, LoginWarning, Transport } from "./transport.ts";
import { ChannelRefused } from "./transport.ts";

/** Milliseconds that a process has to end by itself. */
const goodbye = 1000;
/** Milliseconds after which a channel without a word counts as open: `ssh` does not report that. */
const silence = 500;
/** Milliseconds in which the end of the connection follows that of its channels. */
const together = 500;

export function createOpensshTransport(
  options: {
    readonly handshakes?: number;
    readonly passphrases?: Passphrases;
    readonly report?: ReportHostEvent;
    warn?(warning: LoginWarning): void;
  } = {},
): Transport {
  const handshakes = createGate(options.handshakes ?? 64);
  const way: CommandMeans = {
    agents: createPrivateAgents(),
    passphrases: options.passphrases,
    warn: (text) => options.warn?.({ about: "algorithms", text }),
  };
  return {
    async connect(login, signal) {
      const reached = await reachedLogin(login);
      // A person takes the time that it takes.
      await options.passphrases?.(reached);
      const leave = await handshakes.enter();
      try {
        const deadline = Date.now() + milliseconds(reached.connectTimeout);
        for (let attempts = 1; ; attempts++) {
          const attempt = await start(login, reached, way, deadline - Date.now(), signal);
          if (typeof attempt !== "string") return attempt;
          const failure = passingFailure(attempt);
          const pause = pauseAfter(attempts);
          const again = failure !== undefined && mayTryAgain(reached, failure, attempts);
          if (!again || Date.now() + pause >= deadline)
            throw afterAttempts(explainOpenssh(login, attempt), attempts);
          const text = `tries again in ${Math.round(pause)} ms: ${attempt.trim().split("\n").at(-1)}`;
          options.report?.({ host: logNameOf(login), kind: "login", text });
          await sleep(pause, undefined, { signal }).catch(() => {});
        }
      } finally {
        leave();
      }
    },
  };
}

/** @returns the connection, or what `ssh` said when it ended without one */
async function start(
  login: Login,
  reached: ReachedLogin,
  means: CommandMeans,
  limit: number,
  signal: AbortSignal,
): Promise<Connection | string> {
  const { path: directory, remove } = await makeShortDirectory();
  let leave = async (): Promise<void> => remove();
  try {
    const way = await opensshCommand(login, directory, means);
    const removeAll = leave;
    leave = () => {
      way.release();
      return removeAll();
    };
    const socket = join(directory, "s");
    const master = startProgram("ssh", masterArguments(login, way.args, socket), {
      stdio: "pipe",
      env: way.env,
    });
    let said = "";
    master.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-2000);
    });
    const outcome = deferred<boolean>();
    const abort = (): void =>
      outcome.reject(new HostError("closed", login.host, `connecting to ${login.host} was given up`));
    const timer = setTimeout(() => outcome.reject(tooSlow(login, reached)), Math.max(0, limit));
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    master.on("error", (error) => outcome.reject(noSsh(login, error)));
    master.on("close", () => outcome.resolve(false));
    // LocalCommand runs when the login has succeeded and the socket is there.
    master.stdout.on("data", () => outcome.resolve(true));
    try {
      if (await outcome.promise) {
        const unrecorded = keyNotRecorded(login, said);
        if (unrecorded) throw unrecorded;
        return opensshConnection(login, reached, { master, socket, leave, said: () => said });
      }
    } catch (error) {
      master.kill("SIGKILL");
      letGo(master);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
    await leave();
    return said;
  } catch (error) {
    await leave();
    throw error;
  }
}

/** What it has started, such as a proxy command that takes no notice of its end, may hold its streams. */
function letGo(master: ChildProcessWithoutNullStreams): void {
  for (const stream of [master.stdin, master.stdout, master.stderr]) stream.destroy();
}

function masterArguments(login: Login, common: readonly string[], socket: string): string[] {
  return [
    ...["-o", "ControlMaster=yes", "-o", `ControlPath=${socket}`, "-o", "ControlPersist=no"],
    ...[
      "-o",
      "PermitLocalCommand=yes",
      "-o",
      "LocalCommand=echo up",
      "-o",
      "ForwardAgent=no",
      "-o",
      "ForwardX11=no",
    ],
    ...["-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none"],
    ...["-N", "-T", ...common, "--", login.address],
  ];
}

/** The process that holds the connection. */
interface Master {
  readonly master: ChildProcessWithoutNullStreams;
  readonly socket: string;
  /** Ends and removes what was made for it. */
  leave(): Promise<void>;
  /** The last of its standard error. */
  said(): string;
}

function opensshConnection(
  login: Login,
  reached: ReachedLogin,
  { master, socket, leave, said }: Master,
): Connection {
  const ended = deferred<HostError | undefined>();
  const channels = new Set<ProcessChannel>();
  let ending = false;
  let dead = false;
  const over = (): HostError => {
    if (ending) return new HostError("closed", login.host, `the connection to ${login.host} was closed`);
    const why = said().trim().split("\n").at(-1)!.trim();
    const reason = why === "" ? "the host closed it" : printable(why);
    const advice = /^Timeout, server .* not responding/.test(why) ? lookAtIt : "";
    return new HostError("lost", login.host, `the connection to ${login.host} was lost: ${reason}`, advice);
  };
  const gone = new Promise<void>((resolve) => {
    master.once("exit", () => {
      dead = true;
      ended.resolve(ending ? undefined : over());
      // Its last output may not have arrived yet.
      setTimeout(() => letGo(master), together).unref();
      for (const channel of channels) channel.lose(over());
      leave().then(resolve, resolve);
    });
  });
  master.stdin.on("error", () => {});
  const whyLost = async (status: number): Promise<HostError | undefined> => {
    if (status === 255 && !dead) await Promise.race([gone, sleep(together)]);
    return dead ? over() : undefined;
  };
  return {
    ended: ended.promise,
    async open(command, events, terminal = false) {
      if (dead || ending) throw over();
      const line = terminal ? `stty raw -echo; ${command}` : command;
      const own = ["-F", "none", "-o", "ControlMaster=no", "-o", `ControlPath=${socket}`];
      // Without the socket it must not connect by itself.
      const alone = ["-o", "ProxyCommand=exit 1", "-o", "BatchMode=yes", "-o", "LogLevel=ERROR"];
      const tty = terminal ? "-tt" : "-T";
      const child = startProgram("ssh", [...own, ...alone, tty, "--", reached.address, line], {
        stdio: "pipe",
      });
      await startedProcess(child, login.host, "the program ssh");
      return opened(child, events, channels, whyLost, () => (dead || ending ? over() : undefined));
    },
    async end() {
      if (dead) return;
      ending = true;
      for (const channel of channels) channel.lose(over());
      master.kill("SIGTERM");
      const timer = setTimeout(() => master.kill("SIGKILL"), goodbye);
      await gone;
      clearTimeout(timer);
    },
  };
}

/** Events of a channel before it is known to be open are kept until then. */
async function opened(
  child: ChildProcessWithoutNullStreams,
  events: ChannelEvents,
  channels: Set<ProcessChannel>,
  whyLost: (status: number) => Promise<HostError | undefined>,
  whyOver: () => HostError | undefined,
): Promise<ProcessChannel> {
  let early: (() => void)[] | undefined = [];
  let complaint = "";
  const spoke = deferred<void>();
  const report = (event: () => void): void => {
    if (early) early.push(event);
    else event();
    spoke.resolve();
  };
  const channel = processChannel(
    child,
    {
      stdout: (chunk) => report(() => events.stdout(chunk)),
      stderr(chunk) {
        if (early) complaint += chunk.toString("utf8");
        report(() => events.stderr(chunk));
      },
      exit: (status) => report(() => events.exit(status)),
      closed(lost) {
        channels.delete(channel);
        report(() => events.closed(lost));
      },
    },
    whyLost,
  );
  channels.add(channel);
  await Promise.race([spoke.promise, sleep(silence)]);
  if (/^mux_client_request_session: |session request failed|Session open refused/m.test(complaint)) {
    channels.delete(channel);
    channel.close();
    throw whyOver() ?? new ChannelRefused(complaint.trim());
  }
  setImmediate(() => {
    const kept = early ?? [];
    early = undefined;
    for (const event of kept) event();
  });
  return channel;
}

function tooSlow(login: Login, reached: ReachedLogin): HostError {
  const message = `ssh to ${login.address} did not log in within ${reached.connectTimeout} s`;
  return new HostError("unreachable", login.host, message, "connect_timeout changes the limit.");
}

function noSsh(login: Login, error: Error): HostError {
  const message = `the program ssh cannot be run: ${isNowhere("ssh", error) ? "it is nowhere on the PATH" : systemReason(error)}`;
  return new HostError("login_settings", login.host, message, 'transport = "ssh2" needs none.');
}
