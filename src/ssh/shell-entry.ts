/**
 * @module From the first byte of a channel to the first line that our own shell executed: what comes before READY is
 * thrown away, what comes instead becomes an error.
 */
import { deferred } from "./deferred.ts";
import { HostError } from "./host-error.ts";
import type { Login } from "./login.ts";
import { createMarkReader } from "./marks.ts";
import { milliseconds } from "./milliseconds.ts";
import { explainNoShell } from "./no-shell.ts";
import type { ShellEvents, Stream } from "./shell.ts";
import type { Channel, ChannelEvents } from "./transport.ts";

export interface ShellEntry {
  /** For the channel. */
  readonly channelEvents: ChannelEvents;
  /** READY came; rejects when it does not. */
  readonly ready: Promise<void>;
  /** The first line was executed; rejects when it is not. */
  readonly up: Promise<void>;
  /** The channel is open: the time limit runs. */
  attach(channel: Channel): void;
  /** Nothing more is to be told. */
  leave(): void;
  /** Bytes of a stream since its last mark. */
  rest(stream: Stream): Buffer;
  /** When bytes last came, by `performance.now()`. */
  lastHeard(): number;
}

/** Characters of each stream that are kept for messages. */
const TRANSCRIPT = 2000;
/** Milliseconds for what a command printed to follow its exit status. */
const LAST_WORDS = 300;

/**
 * @param nonce the line that the login shell echoes first
 * @param token what the marks of our own shell start with
 */
export function createShellEntry(
  login: Login,
  nonce: string,
  token: string,
  events: ShellEvents,
): ShellEntry {
  const ready = deferred<void>();
  const up = deferred<void>();
  const printed = { stdout: "", stderr: "" };
  const executed = { stdout: false, stderr: false };
  let stage: "login" | "shell" | "up" | "over" = "login";
  let status: number | undefined;
  let heard = performance.now();
  let channel: Channel | undefined;
  let timer: NodeJS.Timeout | undefined;

  const limit = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => giveUp("timeout"), milliseconds(login.connectTimeout));
  };
  const giveUp = (why: "timeout" | "ended" | HostError): void => {
    if (stage === "up" || stage === "over") return;
    const error = why instanceof HostError ? why : explainNoShell(login, stage, why, status, printed);
    stage = "over";
    clearTimeout(timer);
    ready.reject(error);
    up.reject(error);
    channel?.close();
  };

  const greeting = createMarkReader(nonce, (_before, label) => {
    // A forced command may print our command line; only the line that `echo` made ends here.
    if (label !== "" || stage !== "login") return;
    stage = "shell";
    limit();
    ready.resolve();
  });
  const reader = (stream: Stream) =>
    createMarkReader(token, (content, label) => {
      // One stream may be far ahead of the other: a whole answer, before the other's first mark.
      if (executed[stream]) return events.mark(stream, content, label);
      executed[stream] = label === "-s";
      if (!executed.stdout || !executed.stderr || stage === "over") return;
      stage = "up";
      clearTimeout(timer);
      up.resolve();
    });
  const readers = { stdout: reader("stdout"), stderr: reader("stderr") };

  const take = (stream: Stream, chunk: Buffer): void => {
    heard = performance.now();
    if (stage !== "up") printed[stream] = (printed[stream] + chunk.toString("latin1")).slice(-TRANSCRIPT);
    if (stage !== "login" || stream === "stderr") return void readers[stream].push(chunk);
    greeting.push(chunk);
    if ((stage as string) === "shell") readers.stdout.push(greeting.rest());
  };

  return {
    channelEvents: {
      stdout: (chunk) => take("stdout", chunk),
      stderr: (chunk) => take("stderr", chunk),
      exit(code) {
        status = code;
        heard = performance.now();
        if (stage === "up") events.exited?.(code);
        else setTimeout(() => giveUp("ended"), LAST_WORDS);
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
      limit();
    },
    leave() {
      stage = "over";
      clearTimeout(timer);
    },
    rest: (stream) => readers[stream].rest(),
    lastHeard: () => heard,
  };
}
