/**
 * @module From the first byte of a channel to the first line that our own shell executed: what comes before READY is
 * thrown away, what comes instead becomes an error.
 */
import { createBecomeDialogue, needsDialogue } from "../auth/become-dialogue.ts";
import { deferred } from "../deferred.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { milliseconds } from "../milliseconds.ts";
import type { Channel, ChannelEvents } from "../transport/transport.ts";
import { createMarkReader } from "./marks.ts";
import { explainNoShell } from "./no-shell.ts";
import type { ShellEvents, Stream } from "./shell-events.ts";
import { bootstrapLine, type Environment } from "./shell-lines.ts";

export interface ShellEntry {
  /** The command to run. */
  readonly bootstrap: string;
  /** For the channel. */
  readonly channelEvents: ChannelEvents;
  /** READY came; rejects when it does not. */
  readonly ready: Promise<void>;
  /** The first line was executed; rejects when it is not. */
  readonly up: Promise<void>;
  /** The channel is open: the time limit runs. */
  attach(channel: Channel): void;
  /** No more events are wanted. */
  leave(): void;
  /** Bytes of a stream since its last mark. */
  rest(stream: Stream): Buffer;
  /** When bytes last came, by `performance.now()`. */
  lastHeard(): number;
  /** How many bytes have come. */
  received(): number;
}

/** Characters of each stream that are kept for messages. */
const transcript = 2000;
/** Bytes that may come before our shell is there: of start-up files, messages of the day, and of who asks for a password. */
const longestEntry = 256 * 1024;
/** Milliseconds for what a command printed to follow its exit status. */
const lastWords = 300;

/** What an entry has to do with. */
export interface EntrySettings {
  readonly login: Login;
  readonly environment: Environment;
  /** Whether both of the channel's streams are one terminal. */
  readonly terminal: boolean;
  /** The line that the login shell echoes first. */
  readonly nonce: string;
  /** What the marks of our own shell start with. */
  readonly token: string;
}

export function createShellEntry(settings: EntrySettings, events: ShellEvents): ShellEntry {
  const { login, environment, terminal, nonce, token } = settings;
  const ready = deferred<void>();
  const up = deferred<void>();
  const printed = { stdout: "", stderr: "" };
  const executed = { stdout: false, stderr: false };
  let stage: "login" | "become" | "shell" | "up" | "over" = "login";
  let status: number | undefined;
  let heard = performance.now();
  let received = 0;
  let channel: Channel | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Bytes until our shell was there. */
  let before = 0;

  const giveUp = (why: "timeout" | "ended" | "flood" | HostError): void => {
    if (stage === "up" || stage === "over") return;
    const end = { stage, why, status, printed, terminal, answered: dialogue?.answered() ?? false } as const;
    const error = why instanceof HostError ? why : explainNoShell(login, { ...end, why });
    stage = "over";
    clearTimeout(timer);
    dialogue?.close();
    ready.reject(error);
    up.reject(error);
    channel?.close();
  };

  const enterShell = (): void => {
    stage = "shell";
    ready.resolve();
  };
  const dialogue = needsDialogue(login, terminal)
    ? createBecomeDialogue(login, environment, terminal, {
        send: (data) => channel?.write(Buffer.from(data)),
        up(rest) {
          printed.stdout = "";
          printed.stderr = "";
          enterShell();
          readers.stdout.push(rest);
        },
        refused: (error) => giveUp(error),
      })
    : undefined;
  const greeting = createMarkReader(nonce, (_before, label) => {
    // A forced command may print our command line; only the line that `echo` made ends here.
    if (label !== "" || stage !== "login") return;
    if (!dialogue) return enterShell();
    stage = "become";
    if (!terminal) channel?.write(Buffer.from(`${dialogue.command}\n`));
  });
  const onMark = (stream: Stream, content: Buffer, label: string): void => {
    // One stream may be far ahead of the other: a whole answer, before the other's first mark.
    if (executed[stream]) return void events.mark(stream, content, label);
    executed[stream] = label === "-s";
    if (!executed.stdout || !executed.stderr || stage === "over") return;
    stage = "up";
    clearTimeout(timer);
    up.resolve();
  };
  /** On a terminal the marks of both streams come one after another: the second `-s`, and the END marks without status. */
  const streamOf = (stream: Stream, label: string): Stream =>
    terminal && (/^-e\d+$/.test(label) || (label === "-s" && executed.stdout)) ? "stderr" : stream;
  const reader = (stream: Stream) =>
    createMarkReader(token, (content, label) => onMark(streamOf(stream, label), content, label));
  const readers = { stdout: reader("stdout"), stderr: reader("stderr") };

  const take = (stream: Stream, chunk: Buffer): void => {
    heard = performance.now();
    received += chunk.length;
    if (stage === "over") return;
    if (stage !== "up") {
      const last = chunk.subarray(-transcript).toString("latin1");
      printed[stream] = (printed[stream] + last).slice(-transcript);
    }
    if (stage === "login" || stage === "become") {
      before += chunk.length;
      if (before > longestEntry) {
        giveUp("flood");
        return;
      }
    }
    pass(stream, chunk);
    if (!isEntered()) return;
    if (readers.stdout.size() + readers.stderr.size() > events.most()) events.flooded();
  };
  const isEntered = (): boolean => stage === "shell" || stage === "up";
  const pass = (stream: Stream, chunk: Buffer): void => {
    if (stage === "become") return void dialogue?.take(stream, chunk);
    if (stage !== "login" || stream === "stderr") return void readers[stream].push(chunk);
    greeting.push(chunk);
    const entered = stage as string;
    if (entered === "shell") readers.stdout.push(greeting.rest());
    else if (entered === "become") dialogue?.take("stdout", greeting.rest());
  };

  return {
    bootstrap:
      dialogue && terminal
        ? `echo ${nonce}; ${dialogue.command}`
        : bootstrapLine(nonce, login, environment, dialogue !== undefined),
    channelEvents: {
      stdout: (chunk) => take("stdout", chunk),
      stderr: (chunk) => take("stderr", chunk),
      exit(code) {
        status = code;
        heard = performance.now();
        if (stage === "up") events.exited?.(code);
        else setTimeout(() => giveUp("ended"), lastWords);
      },
      closed(lost) {
        const wasUp = stage === "up";
        giveUp(lost ?? "ended");
        if (wasUp) events.ended(lost, status);
        stage = "over";
      },
    },
    ready: ready.promise,
    up: up.promise,
    attach(opened) {
      channel = opened;
      // One limit for all that follows: each part of it could come in the last moment.
      timer = setTimeout(() => giveUp("timeout"), milliseconds(login.connectTimeout));
    },
    leave() {
      stage = "over";
      dialogue?.close();
      clearTimeout(timer);
    },
    rest: (stream) => readers[stream].rest(),
    lastHeard: () => heard,
    received: () => received,
  };
}
