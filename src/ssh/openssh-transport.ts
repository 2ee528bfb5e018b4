/**
 * @module Hosts reached with the system's `ssh`: one process holds the connection, each channel is another one that goes
 * through its control socket (ssh_config(5), ControlPath). For certificates, hardware keys, GSSAPI.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ReachedLogin, reachedLogin } from "./config/reached-login.ts";
import { deferred } from "./deferred.ts";
import { createGate } from "./gate.ts";
import { HostError } from "./host-error.ts";
import type { Login } from "./login.ts";
import { milliseconds } from "./milliseconds.ts";
import { opensshArguments, PINNED } from "./openssh-arguments.ts";
import { explainOpenssh, isDroppedEarly } from "./openssh-errors.ts";
import { type ProcessChannel, processChannel } from "./process-channel.ts";
import type { ChannelEvents, Connection, Transport } from "./transport.ts";
import { ChannelRefused } from "./transport.ts";

/** A control socket's path has at most 104 bytes (macOS; 108 on Linux), and `ssh` adds 17 while it binds. */
const LONGEST_DIRECTORY = 60;
/** Milliseconds that a process has to end by itself. */
const GOODBYE = 1000;
/** Milliseconds after which a channel without a word counts as open: `ssh` does not tell. */
const SILENCE = 500;
/** Milliseconds in which the end of the connection follows that of its channels. */
const TOGETHER = 500;
const PAUSE = 300;

export function createOpensshTransport(options: { readonly handshakes?: number } = {}): Transport {
  const handshakes = createGate(options.handshakes ?? 64);
  return {
    async connect(login, signal) {
      const reached = await reachedLogin(login);
      const leave = await handshakes.enter();
      try {
        const deadline = Date.now() + milliseconds(reached.connectTimeout);
        for (;;) {
          const attempt = await start(login, reached, deadline - Date.now(), signal);
          if (typeof attempt !== "string") return attempt;
          if (Date.now() + PAUSE >= deadline || !isDroppedEarly(attempt))
            throw explainOpenssh(login, attempt);
          await sleep(PAUSE, undefined, { signal }).catch(() => {});
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
  limit: number,
  signal: AbortSignal,
): Promise<Connection | string> {
  const directory = await privateDirectory();
  try {
    const knownHosts = await pinnedKey(login, directory);
    const common = opensshArguments(login, reached, knownHosts);
    const socket = join(directory, "s");
    const master = spawn("ssh", masterArguments(login, common, socket), {
      stdio: "pipe",
      env: await environmentFor(login, directory),
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
      if (await outcome.promise)
        return opensshConnection(login, reached, master, socket, directory, () => said);
    } catch (error) {
      master.kill("SIGKILL");
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
    await rm(directory, { recursive: true, force: true });
    return said;
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

function masterArguments(login: Login, common: readonly string[], socket: string): string[] {
  const asks = login.password !== undefined || login.passphrase !== undefined;
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
    ...[
      "-o",
      "ClearAllForwardings=yes",
      "-o",
      "RemoteCommand=none",
      "-o",
      `BatchMode=${asks ? "no" : "yes"}`,
    ],
    ...["-N", "-T", ...common, "--", login.address],
  ];
}

async function privateDirectory(): Promise<string> {
  const candidates = [process.env.XDG_RUNTIME_DIR ?? "", tmpdir(), "/tmp"];
  const base = candidates.find((path) => path !== "" && path.length <= LONGEST_DIRECTORY) ?? "/tmp";
  return mkdtemp(join(base, "conn3x-"));
}

/** @returns the path of a known hosts file with the key that the login names, if it names one */
async function pinnedKey({ hostKey, host }: Login, directory: string): Promise<string | undefined> {
  if (hostKey === undefined) return undefined;
  if (!/^[a-z0-9@.-]+ [A-Za-z0-9+/=]+/.test(hostKey.trim())) {
    throw new HostError(
      "login_settings",
      host,
      `transport "openssh" needs the whole host_key of ${host}, not its fingerprint`,
      'Give it as "ssh-ed25519 AAAA…".',
    );
  }
  const file = join(directory, "k");
  await writeFile(file, `${PINNED} ${hostKey.trim()}\n`, { mode: 0o600 });
  return file;
}

/**
 * `ssh` asks a program for secrets (ssh(1), SSH_ASKPASS), which answers from its environment: they are in no argument and
 * in no file.
 */
async function environmentFor(login: Login, directory: string): Promise<NodeJS.ProcessEnv> {
  if (login.password === undefined && login.passphrase === undefined) return process.env;
  const program = join(directory, "a");
  const answer = (name: string): string => `[ -n "$${name}" ] && printf '%s\\n' "$${name}"`;
  await writeFile(
    program,
    `#!/bin/sh\ncase $1 in *assphrase*) ${answer("CONN3X_PASSPHRASE")} ;; *) ${answer("CONN3X_PASSWORD")} ;; esac\n`,
    { mode: 0o700 },
  );
  return {
    ...process.env,
    SSH_ASKPASS: program,
    SSH_ASKPASS_REQUIRE: "force",
    DISPLAY: process.env.DISPLAY ?? ":0",
    CONN3X_PASSWORD: login.password ?? "",
    CONN3X_PASSPHRASE: login.passphrase ?? "",
  };
}

function opensshConnection(
  login: Login,
  reached: ReachedLogin,
  master: ChildProcessWithoutNullStreams,
  socket: string,
  directory: string,
  said: () => string,
): Connection {
  const ended = deferred<HostError | undefined>();
  const channels = new Set<ProcessChannel>();
  let ending = false;
  let dead = false;
  const over = (): HostError => {
    if (ending) return new HostError("closed", login.host, `the connection to ${login.host} was closed`);
    const why = said().trim().split("\n").at(-1)!.trim();
    const reason = why === "" ? "the host closed it" : why;
    return new HostError("lost", login.host, `the connection to ${login.host} was lost: ${reason}`);
  };
  const gone = new Promise<void>((resolve) => {
    master.once("exit", () => {
      dead = true;
      resolve();
      ended.resolve(ending ? undefined : over());
      for (const channel of channels) channel.lose(over());
      rm(directory, { recursive: true, force: true }).catch(() => {});
    });
  });
  master.stdin.on("error", () => {});
  const whyLost = async (status: number): Promise<HostError | undefined> => {
    if (status === 255 && !dead) await Promise.race([gone, sleep(TOGETHER)]);
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
      const child = spawn("ssh", [...own, ...alone, tty, "--", reached.address, line], { stdio: "pipe" });
      await once(child, "spawn");
      return opened(child, events, channels, whyLost, () => (dead || ending ? over() : undefined));
    },
    async end() {
      if (dead) return;
      ending = true;
      for (const channel of channels) channel.lose(over());
      master.kill("SIGTERM");
      const timer = setTimeout(() => master.kill("SIGKILL"), GOODBYE);
      await gone;
      clearTimeout(timer);
    },
  };
}

/** What a channel told before it was known to be open is kept until then. */
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
  const tell = (event: () => void): void => {
    if (early) early.push(event);
    else event();
    spoke.resolve();
  };
  const channel = processChannel(
    child,
    {
      stdout: (chunk) => tell(() => events.stdout(chunk)),
      stderr(chunk) {
        if (early) complaint += chunk.toString("utf8");
        tell(() => events.stderr(chunk));
      },
      exit: (status) => tell(() => events.exit(status)),
      closed(lost) {
        channels.delete(channel);
        tell(() => events.closed(lost));
      },
    },
    whyLost,
  );
  channels.add(channel);
  await Promise.race([spoke.promise, sleep(SILENCE)]);
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
  const message = `the program ssh cannot be run: ${error.message}`;
  return new HostError("login_settings", login.host, message, 'transport = "ssh2" needs none.');
}
