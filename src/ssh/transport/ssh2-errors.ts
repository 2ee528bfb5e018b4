/**
 * @module Why an attempt to connect and log in with `ssh2` failed, in words for people.
 */
import type { Authentication } from "../auth/authentication.ts";
import type { ReachedLogin } from "../config/reached-login.ts";
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";
import { printable } from "../printable.ts";
import { nothingInCommon } from "./offered-algorithms.ts";
import { reasonOf, type Ssh2Error } from "./ssh2-reason.ts";

/** A handshake that ended before the keys were exchanged: nothing was said yet, so it is safe to try again. */
export class DroppedEarly extends Error {
  override readonly name = "DroppedEarly";
}

/** How far the attempt has come; the words complete "no answer while …". */
export type Stage = "connecting" | "exchanging keys" | "logging in";

/** What has happened in an attempt so far. */
export interface Progress {
  stage: Stage;
  /** What the host said besides its answers: lines before SSH, banners, texts of PAM, its last words. */
  said: string;
  /** What `ssh2` reported of both sides' algorithms. */
  readonly algorithms: string[];
  /** Whether the host wants another password before it lets anybody in. */
  wantsNewPassword: boolean;
}

export function tooSlow(login: Login, { stage, said }: Progress): HostError {
  const what =
    stage === "connecting"
      ? `no connection to ${login.address} port ${login.port}`
      : `${login.address} port ${login.port} accepted the connection but did not answer while ${stage}`;
  return new HostError(
    "unreachable",
    login.host,
    withWords(`${what} within ${login.connectTimeout} s`, said),
    "connect_timeout changes the limit.",
  );
}

/** The connection was closed without an error: an expired account is reported before that (RFC 4252, 5.4). */
export function closedEarly(login: Login, progress: Progress, authentication: Authentication): Error {
  if (progress.stage !== "logging in") return new DroppedEarly(withWords("connection closed", progress.said));
  if (progress.wantsNewPassword) return passwordExpired(login, progress.said);
  const message = `${login.host} closed the connection while logging in`;
  const { advice } = authentication.refused();
  return new HostError("unreachable", login.host, withWords(message, progress.said), advice);
}

export function explain(
  login: ReachedLogin,
  progress: Progress,
  error: Ssh2Error,
  authentication: Authentication,
): Error {
  const { stage, said, algorithms } = progress;
  if (error.code === "ECONNRESET" && stage !== "logging in")
    return new DroppedEarly(withWords(reasonOf(error), said));
  if (stage === "connecting") return noConnection(login, error);
  if (stage === "exchanging keys") {
    const dropped = error.level === "client-socket" || error.message === "Connection lost before handshake";
    if (dropped) return new DroppedEarly(withWords(reasonOf(error), said));
    return nothingInCommon(login, error, algorithms) ?? noSsh(login, error, said);
  }
  if (progress.wantsNewPassword) return passwordExpired(login, said);
  // A disconnect message of the host carries a number: "Too many authentication failures".
  if (error.level === "client-authentication" || typeof error.code === "number")
    return authentication.refused(
      (error.level === "client-authentication" ? printable(said) : reasonOf(error)) || undefined,
    );
  const message = `${login.host} closed the connection while logging in: ${reasonOf(error)}`;
  return new HostError("unreachable", login.host, withWords(message, said), "", false, { cause: error });
}

export function passwordExpired({ host, user }: Login, said: string): HostError {
  return new HostError(
    "login_refused",
    host,
    withWords(`the password of ${user} on ${host} has expired`, said),
    `Set a new one: log in with ssh by hand, or run "passwd ${user}" there as root.`,
  );
}

function noSsh(login: Login, error: Ssh2Error, said: string): HostError {
  const message = `no SSH with ${login.address} port ${login.port}: ${reasonOf(error)}`;
  return new HostError("unreachable", login.host, withWords(message, said), "", false, { cause: error });
}

function withWords(message: string, said: string): string {
  const words = printable(said);
  return words === "" ? message : `${message}; it said: ${words}`;
}

/** The usual errors of a socket in words. */
function noConnection(login: Login, error: Ssh2Error): HostError {
  const where = `${login.address} port ${login.port}`;
  const known: Record<string, string> = {
    ECONNREFUSED: `${where} refused the connection`,
    ENOTFOUND: `the name ${login.address} cannot be resolved`,
    EAI_AGAIN: `the name ${login.address} cannot be resolved at the moment`,
    EHOSTUNREACH: `there is no route to ${where}`,
    ENETUNREACH: `there is no route to ${where}`,
    ETIMEDOUT: `no connection to ${where}: timed out`,
  };
  const message = known[String(error.code)] ?? `no connection to ${where}: ${reasonOf(error)}`;
  return new HostError("unreachable", login.host, message, "", false, { cause: error });
}
