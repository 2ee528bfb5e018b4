/**
 * @module The operations of kinds on a host, as plain data: `src/core` carries them out through `src/ssh`.
 */
import type { PutRequest } from "../script/put-request.ts";
import { type Script, script } from "../script/script.ts";

export type Operation = PutOperation | ScriptOperation | CommandOperation | WaitOperation | Refusal;

/** The answer of a script or command. */
export interface CommandAnswer {
  /** Exit status; 128 + N when signal N ended it. */
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** The whole output of a removal that left the object in place. */
export const keptAnswer = "kept";

/** Leaves everything as it is, and reports that. */
export const sayKept: Script = script`printf ${keptAnswer}`;

/** Puts a whole file in place, atomically and verified. */
export interface PutOperation extends PutRequest {
  readonly do: "put";
  readonly content: Buffer | LocalContent;
}

/** The bytes of a file on the controller. */
export interface LocalContent {
  readonly localPath: string;
  /** The SHA-256 that it must still have. */
  readonly sha256: string;
}

/** Runs one of our own scripts. A status other than 0 fails the instance. */
export interface ScriptOperation {
  readonly do: "script";
  readonly script: Script;
  /** What it does, for errors: `create the directory /srv/web`. */
  readonly purpose: string;
  /** Whether it may take long or leave processes behind: it then gets a channel of its own. */
  readonly own: boolean;
  /** Whole sentences: where to look when it fails. */
  readonly advice?: string;
  /** What its errors mean where it succeeds all the same: the summary of a warning with them. Unset: nobody reads them. */
  readonly warns?: string;
  /** Seconds, for one with a channel of its own; unset: the login's `command_timeout`. */
  readonly timeout?: number;
  /** What it works on, as a text that stays the same: see `RunRequest.work`. Unset: the script itself. */
  readonly work?: string;
  /** Whether the host may go away while it runs, as it does in a reboot. Default false. */
  readonly endsConnection?: boolean;
}

/** Runs what the user wrote, on a channel of its own. */
export interface CommandOperation {
  readonly do: "command";
  readonly script: string;
  readonly stdin?: Buffer;
  /** Seconds; unset: the login's `command_timeout`. */
  readonly timeout?: number;
  /** What it does, for errors: `run the command`. */
  readonly purpose: string;
  /** What it works on, as a text that stays the same: see `RunRequest.work`. Unset: the script itself. */
  readonly work?: string;
  /** Statuses that are no failure. */
  readonly accept: readonly number[];
  /** What of its output is shown in errors. */
  readonly shown: (output: string) => string;
  /** The script as a log may show it. */
  readonly written: string;
}

/** Asks repeatedly, from the controller, until the answer's status is 0. */
export interface WaitOperation {
  readonly do: "wait";
  readonly question: Question;
  /** Seconds between an answer and the next question. */
  readonly interval: number;
  /** Seconds after which the instance fails. */
  readonly timeout: number;
  /** What it waits for, for errors: `TCP port 80 to be open`. */
  readonly purpose: string;
  /** The status of an answer that ends the waiting without success. Unset: none. */
  readonly hopeless?: number;
  /** Whole sentences: where to look when the time is over. */
  readonly advice?: string;
  /** Whether the host may be away meanwhile: each question then uses a new connection. Default false. */
  readonly reconnect?: boolean;
}

/** What is wanted is impossible or must not be done: the instance fails and nothing more is done for it. */
export interface Refusal {
  readonly do: "refuse";
  readonly summary: string;
  readonly detail: string;
}

/** Asks a URL from the controller; the answer's status is 0 when it is as wanted. */
export interface UrlQuestion {
  readonly ask: "url";
  readonly url: string;
  readonly statuses: readonly number[];
  /** Whether the answer must have one of these statuses, or none of them. */
  readonly wanted: boolean;
  /** Seconds for the answer. */
  readonly timeout?: number;
}

/** One of our own short scripts, or the user's text, which is never run but on a channel of its own. */
export type Question =
  | UrlQuestion
  /** `hidesAnswer`: the answer is what is in a file, and no log shows it. */
  | {
      readonly ask: "script";
      readonly script: Script;
      readonly hidesAnswer?: true;
      /** Bytes that the answer may have, where it is content: more than any answer of another kind. */
      readonly most?: number;
    }
  /** One of ours that may take seconds. */
  | { readonly ask: "slow"; readonly script: Script; readonly timeout?: number }
  /** `written`: the script as a log may show it, where that is less than all of it. */
  | {
      readonly ask: "command";
      readonly script: string;
      readonly timeout?: number;
      readonly written?: string;
    };
