/**
 * @module Waits for what an interrupted run left running on a host, before the same is begun again there.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Operation } from "../../resources/operation.ts";
import type { RunRequest, Session } from "../../ssh/index.ts";
import { Failure } from "../context.ts";
import { pause as standardPause } from "./pause.ts";
import { requestOf } from "./perform.ts";

export interface LeftRunning {
  /** What the instance is called in every run, where that is known. */
  readonly instance?: string | undefined;
  /** Aborted when the run is asked to end. */
  readonly stopping: AbortSignal;
  /** Told what was waited for, when it has ended. */
  readonly note: (warning: Diagnostic) => void;
  /** Waits so many milliseconds; for tests. */
  readonly pause?: typeof standardPause;
}

/** Milliseconds between two looks: short at first, since most of it is over soon. */
const firstPause = 250;
const longestPause = 2000;
/** Seconds beyond its own time limit that a host may need to end a command. */
const grace = 15;

/**
 * @returns whether anything was waited for: what was found on the host before is then to be looked at again
 * @throws Failure when it does not end within its time limit, or the run was asked to end
 * @throws HostError when the host cannot be asked
 */
export async function outwaitLeftRunning(
  session: Session,
  operations: readonly Operation[],
  { instance, stopping, note, pause = standardPause }: LeftRunning,
): Promise<boolean> {
  const tracked = operations.flatMap((operation) => {
    const request = requestOf(operation, instance);
    return request?.work !== undefined ? [{ request, purpose: purposeOf(operation) }] : [];
  });
  const requests = tracked.map(({ request }) => request);
  if (requests.length === 0 || !(await session.leftRunning(requests))) return false;
  const purposes = tracked.map(({ purpose }) => purpose).join(", ");
  const limit = limitOf(session, requests);
  const began = performance.now();
  for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
    const seconds = (performance.now() - began) / 1000;
    if (limit !== undefined && seconds > limit) throw new Failure(endless(session, purposes, seconds));
    await pause(wait, stopping);
    if (stopping.aborted) throw new Failure(stopped(session, purposes));
    if (!(await session.leftRunning(requests))) break;
  }
  note(waited(session, purposes, (performance.now() - began) / 1000));
  return true;
}

const purposeOf = (operation: Operation): string => ("purpose" in operation ? operation.purpose : "");

/** Seconds; undefined where one of them may run as long as it likes. */
function limitOf({ login }: Session, requests: readonly RunRequest[]): number | undefined {
  const limits = requests.map(({ timeout }) => timeout ?? login.commandTimeout);
  return limits.includes(0) ? undefined : Math.max(...limits) + grace;
}

const waited = ({ login }: Session, purposes: string, seconds: number): Diagnostic =>
  warningDiagnostic(
    "Waited for an interrupted run",
    `${login.host}: what an interrupted run had begun there was still running (${purposes}). It was waited for, ${Math.ceil(seconds)} s, and nothing was begun beside it.`,
  );

const stopped = ({ login }: Session, purposes: string): Diagnostic =>
  errorDiagnostic(
    "Stopped",
    `${login.host}: the run was asked to stop while it waited for what an interrupted run had left running there (${purposes}).`,
  );

const endless = ({ login }: Session, purposes: string, seconds: number): Diagnostic =>
  errorDiagnostic(
    "An interrupted run's command still runs",
    `${login.host}: what an interrupted run had begun there (${purposes}) still runs after ${Math.ceil(seconds)} s, beyond its time limit. Nothing was begun beside it. End it on the host, then apply again.`,
  );
