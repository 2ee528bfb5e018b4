/**
 * @module A channel brought to the point where our `/bin/sh` reads requests, whatever start-up files, login shells,
 * forced commands and sudo do before.
 *
 * Nothing but the bootstrap line is sent before the random READY line has come back.
 */
import { randomBytes } from "node:crypto";
import { deferred } from "./deferred.ts";
import { HostError } from "./host-error.ts";
import type { Login } from "./login.ts";
import type { MarkReader } from "./marks.ts";
import { createMarkReader } from "./marks.ts";
import { explainNoShell } from "./no-shell.ts";
import type { Environment } from "./shell-lines.ts";
import { bootstrapLine, isPlainUser, prologue } from "./shell-lines.ts";
import type { Channel, ChannelEvents } from "./transport.ts";

/** What a shell tells once it is {@link Shell.up}. */
export interface ShellEvents {
  /** A mark on one of the streams, with the bytes since the mark before on that stream. */
  mark(stream: "stdout" | "stderr", content: Buffer, label: string): void;
  /** The shell's exit status was told; output may follow. */
  exited?(status: number): void;
  /** The shell's channel is closed; `clean` when the host said so after all output, with the shell's status if it was told. */
  ended(clean: boolean, status: number | undefined): void;
}

export interface Shell {
  /** What the shell's marks start with. */
  readonly token: string;
  /**
   * Settles when the first line was executed: rejects with `become_refused` or `no_shell` when something else than our
   * shell is there, with `lost` when the connection ended. Requests may be written before it settles.
   */
  readonly up: Promise<void>;
  write(data: string | Buffer): void;
  /** End of file on the shell's standard input. */
  end(): void;
  close(): void;
  /** Bytes of a stream since its last mark. */
  rest(stream: "stdout" | "stderr"): Buffer;
  /** When bytes last came, by `performance.now()`. */
  lastHeard(): number;
}

/** How to open a channel for a command line. */
export type OpenChannel = (command: string, events: ChannelEvents) => Promise<Channel>;

/** Characters of a channel's output that are kept for messages. */
const TRANSCRIPT = 2000;

/**
 * Resolves when READY has come; the first line is sent with the first {@link Shell.write}.
 * @throws HostError with code `no_shell` when READY does not come within the login's `connectTimeout`, and as `open`
 */
export async function openShell(
  open: OpenChannel,
  login: Login,
  environment: Environment,
  events: ShellEvents,
): Promise<Shell> {
  if (login.become && !isPlainUser(login.becomeUser)) {
    throw new HostError(
      "login_settings",
      login.host,
      `"${login.becomeUser}" cannot be used as become_user`,
      "Give the plain name of a user.",
    );
  }
  const nonce = `READY-${randomBytes(8).toString("hex")}`;
  const token = `conn3x-${randomBytes(12).toString("hex")}`;
  const ready = deferred<void>();
  const up = deferred<void>();
  const printed = { stdout: "", stderr: "" };
  let stage: "login" | "shell" | "up" | "over" = "login";
  let status: number | undefined;
  let heard = performance.now();
  let channel: Channel | undefined;
  let timer: NodeJS.Timeout | undefined;

  const seen = { stdout: false, stderr: false };
  const reader = (stream: "stdout" | "stderr"): MarkReader =>
    createMarkReader(token, (content, label) => {
      if (label !== "-s" || seen[stream]) return events.mark(stream, content, label);
      seen[stream] = true;
      if (!seen.stdout || !seen.stderr) return;
      stage = "up";
      clearTimeout(timer);
      up.resolve();
    });
  const readers = { stdout: reader("stdout"), stderr: reader("stderr") };
  const beforeReady = createMarkReader(nonce, (_content, label) => {
    // A forced command may print our command line; only the line that `echo` made ends here.
    if (label !== "" || stage !== "login") return;
    stage = "shell";
    clearTimeout(timer);
    ready.resolve();
  });

  const giveUp = (why: "timeout" | "ended" | "lost"): void => {
    if (stage === "up" || stage === "over") return;
    const error = explainNoShell(login, stage, why, status, printed);
    stage = "over";
    clearTimeout(timer);
    ready.reject(error);
    up.reject(error);
    channel?.close();
  };

  const take = (stream: "stdout" | "stderr", chunk: Buffer): void => {
    heard = performance.now();
    if (stage === "login" || stage === "shell") {
      printed[stream] = (printed[stream] + chunk.toString("latin1")).slice(-TRANSCRIPT);
    }
    if (stream === "stdout" && stage === "login") {
      beforeReady.push(chunk);
      if ((stage as string) === "shell") readers.stdout.push(beforeReady.rest());
    } else {
      readers[stream].push(chunk);
    }
  };
  try {
    channel = await open(bootstrapLine(nonce, login, environment), {
      stdout: (chunk) => take("stdout", chunk),
      stderr: (chunk) => take("stderr", chunk),
      exit: (code) => {
        status = code;
        heard = performance.now();
        if (stage === "up") events.exited?.(code);
        // Its last words may follow the status.
        else setTimeout(() => giveUp("ended"), 100);
      },
      closed: (clean) => {
        const wasUp = stage === "up";
        giveUp(clean ? "ended" : "lost");
        if (wasUp) {
          stage = "over";
          events.ended(clean, status);
        }
      },
    });
    timer = setTimeout(() => giveUp("timeout"), login.connectTimeout * 1000);
    await ready.promise;
  } finally {
    clearTimeout(timer);
  }
  const opened = channel;
  timer = setTimeout(() => giveUp("timeout"), login.connectTimeout * 1000);
  let first = true;
  return {
    token,
    up: up.promise,
    write(data) {
      const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
      opened.write(first ? Buffer.concat([Buffer.from(prologue(token, environment)), bytes]) : bytes);
      first = false;
    },
    end: () => opened.end(),
    close() {
      stage = "over";
      clearTimeout(timer);
      opened.close();
    },
    rest: (stream) => readers[stream].rest(),
    lastHeard: () => heard,
  };
}
