/**
 * @module What the system's `ssh` meant when it ended without a connection.
 */
import { HostError, type HostErrorCode } from "./host-error.ts";
import type { Login } from "./login.ts";

/** Whether a busy sshd may have dropped the connection before anything was said. */
export function isDroppedEarly(said: string): boolean {
  return /kex_exchange_identification|Connection (?:reset|closed) by .* port/.test(said);
}

/** @param said the last of its standard error */
export function explainOpenssh(login: Login, said: string): HostError {
  const lines = said
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[@*]+/.test(line));
  const last = lines.at(-1) ?? "it said nothing";
  const kind = kindOf(said);
  return new HostError(
    kind.code,
    login.host,
    `${kind.what(login)}: ${last}`,
    kind.detail ? lines.slice(-12).join("\n") : "",
  );
}

interface Kind {
  readonly code: HostErrorCode;
  readonly what: (login: Login) => string;
  /** Whether all that it said is worth showing. */
  readonly detail?: true;
}

function kindOf(said: string): Kind {
  if (/HOST IDENTIFICATION HAS CHANGED|revoked/i.test(said)) {
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
  return { code: "unreachable", what: ({ host }) => `no connection to ${host}` };
}
