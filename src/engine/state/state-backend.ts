/**
 * @module Where a state is kept, behind one interface: in a file, on a server, in a database. The journal is always a file
 * of this machine, so that what a run does is durable at once, wherever the state itself goes.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { systemErrorSentence } from "../../diagnostics/system-error.ts";
import type { EncodedText } from "./encoded.ts";
import type { Locked, LockTerms } from "./lock.ts";
import type { StateFileText } from "./state-file-text.ts";

export interface StateBackend {
  /** For messages: a path, or an address without what is secret in it. */
  readonly name: string;
  /** Path of the journal. */
  readonly journal: string;
  /** How long completed work may be in the journal only. Milliseconds. */
  readonly foldInterval: number;
  /** Whether it is on another machine, so that a state may be worth keeping here when it cannot be stored there. */
  readonly isRemote: boolean;
  /** What `init` says once about its connection: others could read or change the state on it. */
  readonly caution?: Diagnostic | undefined;
  /** Takes the state's lock, and makes ready for writing. */
  lock(terms: LockTerms): Promise<Locked>;
  /**
   * Ends a lock that somebody else has left.
   *
   * @returns what kept it from being ended
   */
  forceUnlock(id: string): Promise<Diagnostic | undefined>;
  /** @throws PlaceError, or the file system's error */
  read(): Promise<StateFileText>;
  /** Identifies the content of a state: hexadecimal digits; `none` for no state. */
  hashOf(text: string | undefined): string;
  /** Bytes of a text to be written, with what {@link hashOf} says of it. */
  encode(parts: Iterable<string>): EncodedText;
  /** {@link hashOf} of what is there now. @throws as {@link read} does */
  presentHash(): Promise<string>;
  /** Keeps what is there now beside it, where the backend keeps no other history. @throws as {@link read} does */
  backUp(): Promise<void>;
  /** Puts a state in place of what is there. @throws as {@link read} does */
  write(content: EncodedText): Promise<void>;
  /** Ends connections. A lock must have been released before. */
  close(): Promise<void>;
}

/** A backend, or the path of a state file. */
export type StateLocation = StateBackend | string;

/** Thrown when a backend cannot be read or written. */
export class BackendError extends Error {
  readonly diagnostic: Diagnostic;

  constructor(summary: string, detail: string) {
    super(detail);
    this.name = "PlaceError";
    this.diagnostic = errorDiagnostic(summary, detail);
  }
}

/**
 * The diagnostic for an error that a backend has thrown.
 *
 * @throws the error itself when it is something else
 */
export function backendProblem(error: unknown, summary: string, name: string): Diagnostic {
  if (error instanceof BackendError) return error.diagnostic;
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return errorDiagnostic(summary, `${name}: ${systemErrorSentence(error)}`);
}
