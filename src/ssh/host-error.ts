/**
 * @module Errors of requests to a host.
 */

export type HostErrorCode =
  /** No TCP connection, no SSH on it, or no shell of the other user, in time. */
  | "unreachable"
  /** The host is there and refused the login. */
  | "login_refused"
  /** The host key is not the known one. */
  | "host_key_changed"
  /** The host key is not known and `host_key_checking` is strict. */
  | "host_key_unknown"
  /** The host has no algorithm in common with us, or its key is too small. */
  | "algorithms"
  /** sudo, doas or su refused, or asked for a password that was not given. */
  | "become_refused"
  /** Something other than our shell answered (forced command, account without a shell). */
  | "no_shell"
  /** The command ran longer than its limit. */
  | "timeout"
  /** The host sent more than was asked for, or than an answer may have. */
  | "too_much"
  /** The connection ended during a request. */
  | "lost"
  /** The host refused to write a file. */
  | "write"
  /** The command that a file is checked with refused its new content. */
  | "invalid"
  /** A setting of the login is not usable: missing key file, wrong passphrase. */
  | "login_settings"
  /** The login would start a program on this machine, which is not allowed. */
  | "program_refused"
  /** The session was closed by this side. */
  | "closed";

/** An expected failure. Its message is for people and has no secrets. */
export class HostError extends Error {
  override readonly name = "HostError";

  /**
   * @param code what kind of failure it is
   * @param host the login's label
   * @param message what happened, one line
   * @param advice whole sentences: what to do; may be empty
   * @param started whether the request may have begun on the host: `true` when it may have had an effect
   */
  constructor(
    readonly code: HostErrorCode,
    readonly host: string,
    message: string,
    readonly advice: string = "",
    readonly started: boolean = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the host as a whole failed: what is stored about it stays as it is (C12). */
  get hostDown(): boolean {
    return [
      "unreachable",
      "login_refused",
      "host_key_changed",
      "host_key_unknown",
      "algorithms",
      "become_refused",
      "no_shell",
      "too_much",
      "lost",
      "login_settings",
    ].includes(this.code);
  }
}

/** @param what of the login would start a program on this machine */
export const programRefused = (host: string, what: string): HostError =>
  new HostError(
    "program_refused",
    host,
    `${what} would start a program on this machine, which -no-exec does not allow`,
    "Look at what it runs, then leave -no-exec out; or reach the host without it.",
  );

/** sudo wants a terminal (`requiretty`): with one, the same may succeed. */
export class TerminalWanted extends HostError {}

/** The host reported nothing of a command in time, not even that it was stopped. */
export class SilentHost extends HostError {}

/** A private key without its passphrase: an agent may have it unlocked. */
export class LockedKey extends HostError {}

/** Advice for a host that is not heard of any more. */
export const lookAtIt =
  "Look whether the host is up and can be reached. keepalive says for how long it may be silent.";

/** The host sent more than an answer may have. @param what it did, one line */
export const tooMuch = (host: string, what: string, advice = ""): HostError =>
  new HostError("too_much", host, what, advice, true);

/** The same error for another request, which may have begun or not. */
export function withStarted(error: HostError, started: boolean): HostError {
  if (error.started === started) return error;
  return new HostError(error.code, error.host, error.message, error.advice, started, {
    cause: error.cause ?? error,
  });
}
