/**
 * @module Errors for the messages of the system's `ssh` when it ends without a connection.
 */

import { HostError, type HostErrorCode } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { jumpHostFailed } from "./openssh-command.ts";

/** What kept a connection from being made, where another attempt may make it. */
export function passingFailure(said: string): "dropped" | "refused" | undefined {
  const jumpHost = jumpHostIn(said);
  // What comes after is said of a connection that ended with that of the hop.
  const cause = jumpHost === undefined ? said : before(jumpHost, said);
  if (isRefused(cause)) return "refused";
  return isDroppedEarly(cause) ? "dropped" : undefined;
}

/** Whether a busy sshd may have dropped the connection before anything was said. */
function isDroppedEarly(said: string): boolean {
  return /kex_exchange_identification|Connection reset by .* port|: Connection reset by peer/.test(said);
}

/** Whether there was no connection at all, for a reason that may pass. */
function isRefused(said: string): boolean {
  return /Connection refused|No route to host|Network is unreachable|Temporary failure in name resolution|open failed: connect failed/.test(
    said,
  );
}

/** @param said the last of its standard error */
export function explainOpenssh(login: Login, said: string): HostError {
  const jumpHost = jumpHostIn(said);
  if (jumpHost !== undefined) return explainJumpHost(login, jumpHost, said);
  const lines = said
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[@*]+/.test(line));
  const last = lines.at(-1) ?? "it said nothing";
  const kind = kindOf(login, said);
  return new HostError(
    kind.code,
    login.host,
    `${kind.what(login)}: ${last}`,
    kind.detail ? lines.slice(-12).join("\n") : "",
  );
}

/** The first jump host whose `ssh` failed: those that came through it failed with it. */
const jumpHostIn = (said: string): string | undefined =>
  said
    .split("\n")
    .find((line) => line.startsWith(jumpHostFailed))
    ?.slice(jumpHostFailed.length)
    .trim();

/** What was said before the hop gave up is about the hop. */
const before = (jumpHost: string, said: string): string => said.split(`${jumpHostFailed}${jumpHost}`)[0]!;

function explainJumpHost(login: Login, jumpHost: string, said: string): HostError {
  const { host: _host, hostKey: _hostKey, ...rest } = login;
  const error = explainOpenssh({ ...rest, host: jumpHost }, before(jumpHost, said));
  return new HostError(error.code, login.host, `on the way to ${login.host}: ${error.message}`, error.advice);
}

/** The error where `ssh` takes a new host key and cannot record it: the next run would take any. */
export function keyNotRecorded(login: Login, said: string): HostError | undefined {
  const file = /^Failed to add the host to the list of known hosts \((.*)\)\./m.exec(said)?.[1];
  if (file === undefined) return undefined;
  const message = `the key of ${login.host} cannot be recorded in ${file}`;
  return new HostError("login_settings", login.host, message, "See that it can be written to.");
}

interface Kind {
  readonly code: HostErrorCode;
  readonly what: (login: Login) => string;
  /** Whether all that it said is worth showing. */
  readonly detail?: true;
}

function kindOf(login: Login, said: string): Kind {
  const isPinned = login.hostKey !== undefined && /host key is known|Host key verification failed/.test(said);
  if (isPinned || /HOST IDENTIFICATION HAS CHANGED|revoked/i.test(said)) {
    return {
      code: "host_key_changed",
      what: ({ host }) => `the host key of ${host} is not the known one`,
      detail: true,
    };
  }
  if (/Host key verification failed|No .* host key is known/.test(said)) {
    return {
      code: "host_key_unknown",
      what: ({ host }) => `the host key of ${host} is not known`,
      detail: true,
    };
  }
  if (/Permission denied|Too many authentication failures/.test(said)) {
    return { code: "login_refused", what: ({ host }) => `${host} refused the login`, detail: true };
  }
  if (/Bad configuration option|bad configuration options|Could not create directory/.test(said)) {
    return { code: "login_settings", what: ({ host }) => `ssh to ${host} did not take its settings` };
  }
  // What ssh calls the other end of a command's streams.
  if (/UNKNOWN port 65535/.test(said)) {
    return {
      code: "unreachable",
      what: ({ host }) => `the proxy command of ${host} made no connection`,
      detail: true,
    };
  }
  // What was closed before anything was said has another line before it.
  if (/Connection closed by .* port/.test(said) && !isDroppedEarly(said)) {
    return {
      code: "unreachable",
      what: ({ host }) => `${host} closed the connection while logging in`,
      detail: true,
    };
  }
  return { code: "unreachable", what: ({ host }) => `no connection to ${host}` };
}
