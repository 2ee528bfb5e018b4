/**
 * @module Diagnostics about what could not be done on a host.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { HostError, HostErrorCode } from "../../ssh/index.ts";
import { isNotPermitted, notPermitted } from "./not-permitted.ts";

const summaries: Readonly<Record<HostErrorCode, string>> = {
  unreachable: "Host does not answer",
  login_refused: "Host refused the login",
  host_key_changed: "Host key has changed",
  host_key_unknown: "Host key is not known",
  algorithms: "Algorithms of the host are not allowed",
  become_refused: "Host refused to become another user",
  no_shell: "Host ran something else than a shell",
  timeout: "Command took too long",
  too_much: "Host sent too much",
  lost: "Connection to the host was lost",
  write: "Host refused to write the file",
  invalid: "New content did not pass its validation",
  login_settings: "Login settings cannot be used",
  program_refused: "Login needs a program of this machine",
  closed: "Connection was closed",
};

/**
 * A failure as an error: something could not be done.
 * @param isOnce whether no later run looks what has become of it
 */
export function hostError(error: HostError, isOnce = false): Diagnostic {
  const interrupted =
    error.code === "lost" && error.started && !isOnce
      ? "It was being done when the connection ended and may have had its effect: the next run looks and goes on from there."
      : "";
  const immutable = error.code === "write" && isNotPermitted(error.message) ? notPermitted : "";
  return errorDiagnostic(
    summaries[error.code],
    sentences(withHost(error), error.advice, interrupted, immutable),
  );
}

/**
 * A failure to read a host as a warning: the stored objects are used until it answers again (C12). Its text is the
 * same for stored and for planned objects, so that there is one warning for each host.
 */
export const hostWarning = (error: HostError): Diagnostic =>
  warningDiagnostic(
    summaries[error.code],
    sentences(
      withHost(error),
      error.advice,
      "Nothing was looked at there: what is stored about it stands until it answers.",
    ),
  );

const wholeHosts: ReadonlySet<string> = new Set(Object.values(summaries));

/** Whether a diagnostic is about a host as a whole, and not about one request. */
export const isAboutWholeHost = ({ summary }: Pick<Diagnostic, "summary">): boolean =>
  wholeHosts.has(summary);

/** Most messages name the host themselves, by its label or as `ADDRESS port PORT`. */
function withHost({ host, message }: HostError): string {
  const spelledOut = host.replace(/^\[?(.*?)\]?:(\d+)$/, "$1 port $2");
  return message.includes(host) || message.includes(spelledOut) ? message : `${host}: ${message}`;
}

const sentences = (...parts: readonly string[]): string =>
  parts
    .filter((part) => part !== "")
    .map((part) => (/[.!?:)`]$/.test(part) ? part : `${part}.`))
    .join("\n");
