/**
 * @module Repeated connection attempts: after which errors, how often, and with which pauses.
 */
import { HostError } from "../host-error.ts";
import type { Login } from "../login/login.ts";

/** Milliseconds, more or less; the last one stands for all that follow. */
const backOff = [200, 400, 800, 1600, 3200];

/** What the system says of a host that may be there in a moment. */
const passing = ["ECONNREFUSED", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "EAI_AGAIN", "ETIMEDOUT"];

/** RFC 4254, 5.1: SSH_OPEN_CONNECT_FAILED, which is what a jump host answers. */
const connectFailed = 2;

/** Milliseconds before another attempt: not the same for all hosts of a fleet. @param attempts made so far */
export const pauseAfter = (attempts: number): number =>
  (backOff[attempts - 1] ?? backOff.at(-1)!) * (0.75 + Math.random() / 2);

/**
 * Whether there is to be another attempt. Unless the login says how many, a host that refuses is not asked again: most
 * often nothing listens there.
 *
 * @param failure `dropped` when the connection was closed before anything was said, `refused` when there was none
 * @param attempts made so far
 */
export function mayTryAgain(
  { retries }: Pick<Login, "retries">,
  failure: "dropped" | "refused",
  attempts: number,
): boolean {
  return retries === undefined ? failure === "dropped" : attempts <= retries;
}

/** Whether there was no connection at all, for a reason that may pass. */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  if (typeof code === "string" && passing.includes(code)) return true;
  return reason === connectFailed || wasRefused(error.cause);
}

/** The error of the last attempt, which says how many there were. */
export function afterAttempts(error: HostError, attempts: number): HostError {
  if (attempts < 2) return error;
  const { code, host, message, advice } = error;
  return new HostError(code, host, `${message}, ${attempts} times`, advice, false, { cause: error });
}
