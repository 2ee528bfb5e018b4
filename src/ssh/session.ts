/**
 * @module The interface to hosts for all other layers. Nothing above it knows how a host is reached.
 */
import type { PutRequest } from "../script/put-request.ts";
import type { Script } from "../script/script.ts";
import type { Login } from "./login/login.ts";

/** The answer of a command. Bytes are exact. */
export interface Answer {
  /** Exit status; 128 + N when signal N ended the command. */
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Whether the command had a terminal (sudo's `requiretty`): both streams are then in `stdout`, in order. */
  readonly merged?: true;
}

/** Bytes that the answer to one request may have, where no more are asked for: both streams together. */
export const mostBytes = 16 * 1024 * 1024;

/** What a log may show of a request and its answer: everything, unless this says less. */
export interface Written {
  /** What it is for: `run the command`. */
  readonly purpose?: string;
  /** Shown instead of the request's text: without its secrets. */
  readonly text?: string;
  /** What is shown of a stream of the answer. */
  readonly output?: (output: string) => string;
}

/** A command of the user, or one of ours that takes long: it gets a channel of its own. */
export interface RunRequest {
  /** Text for `/bin/sh`; travels over standard input, never in an argument. */
  readonly script: string;
  /** Bytes for the command's standard input; none means end of file at once. */
  readonly stdin?: Buffer | AsyncIterable<Buffer>;
  /** Number of bytes of a streamed {@link stdin}. */
  readonly stdinSize?: number;
  /** Seconds; overrides the login's `commandTimeout`. */
  readonly timeout?: number;
  /** Seconds that the script may take once it has all of {@link stdin}, where it is one of ours. Unset: no limit. */
  readonly afterInput?: number;
  /**
   * Whether the script is one of ours: it then runs in the environment of {@link Session.ask}. Default
   * false: in the host's own environment and its user's home.
   */
  readonly ours?: boolean;
  /**
   * For a command that must not run twice at once: texts, one of which is equal in all requests for the same work. Makes it
   * findable by {@link Session.leftRunning}.
   */
  readonly work?: readonly string[];
  /** The same for work that is one on the host whichever project does it: what a package manager does. */
  readonly sharedWork?: readonly string[];
  /** Whether it only looks: it shares the time that the host has for {@link Session.ask}. Default false. */
  readonly reads?: boolean;
  readonly written?: Written;
}

/** Who began something that runs: this project, or another one. */
export type Runner = "ours" | "others";

/** Content that is read while it is sent: a file that may be larger than memory. */
export interface StreamedContent {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in lower-case hexadecimal, which is checked on the host. */
  readonly sha256: string;
  /** Starts reading. */
  readonly open: () => AsyncIterable<Buffer>;
}

/** A whole file that is put in place atomically. */
export interface FilePut extends PutRequest {
  readonly content: Buffer | StreamedContent;
  /** Its `text` stands for the validation: content is never written into a log. */
  readonly written?: Written;
}

/**
 * One login on one host. Connects when first asked for something; everything asked for in the same tick travels
 * together, and equal questions travel once.
 */
export interface Session {
  readonly login: Login;
  /**
   * Runs one of *our own* short scripts in the fact shell, as the become user: in English, from `/`, with umask 022,
   * without what in the host's environment changes tools, and with nothing to read. Never for anything a user supplies.
   * @param most bytes that the answer may have, where it is content of a known size; else {@link mostBytes}
   * @throws HostError when the host cannot be reached or the connection is lost, when it sends more than that, or has
   *   had its time for reading
   */
  ask(script: Script, written?: Written, most?: number): Promise<Answer>;
  /**
   * As {@link ask}, for a script that changes the host: it runs also where an equal one waits, and whatever is asked after
   * it is answered after it.
   * @throws HostError as {@link ask}
   */
  act(script: Script, written?: Written): Promise<Answer>;
  /** @throws HostError as {@link ask}, and with code `timeout` when the command took too long */
  run(request: RunRequest): Promise<Answer>;
  /**
   * Whether one of these requests still runs on the host for nobody here: begun by an earlier run of this project, or by this
   * one before the connection was lost; or, where the work is shared, by a run of another project. Found by
   * {@link RunRequest.work}, and only where the host has `/proc`.
   * @throws HostError as {@link ask}
   */
  leftRunning(requests: readonly RunRequest[]): Promise<Runner | undefined>;
  /**
   * Writes a file atomically: temporary file in the target's directory, size and SHA-256 verified on the host, owner
   * and mode set, then renamed over the target.
   * @throws HostError as {@link ask}, and with code `write` when the host refuses (full disk, read-only, no right),
   *   with code `invalid` when the request's validation does
   * @param onQueued called, before anything else happens, where whatever is asked from then on is answered after the
   *   file is in place or refused; never where the file is sent by a channel of its own
   */
  put(request: FilePut, onQueued?: () => void): Promise<void>;
  /**
   * Ends the connection, if there is one, and forgets a login that failed: the next request connects anew. For a host
   * that was rebooted. What still waits fails with code `closed`.
   */
  reset(): Promise<void>;
  /** Counters for benchmarks and `-v`. */
  readonly counters: SessionCounters;
}

export interface SessionCounters {
  /** Flushes of requests to the fact shell after READY. */
  readonly flushes: number;
  /** Requests in the fact shell. */
  readonly requests: number;
  /** Channels opened, bootstrap included. */
  readonly channels: number;
}

/** The sessions of one run: at most one per distinct login. */
export interface SessionPool {
  /** Never fails and opens nothing; the connection is made at the first request. */
  session(login: Login): Session;
  /** Gets the secrets that no log may show. Absent where nothing is logged. */
  readonly conceal?: (secret: string) => void;
  /** Ends every connection cleanly. Requests that still wait fail with code `closed`. */
  close(): Promise<void>;
}
