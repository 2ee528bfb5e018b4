/**
 * @module Waits for what an interrupted run, or one of another project, left running on a host, before the same is begun again there.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Operation } from "../../resources/operation.ts";
import type { Runner, RunRequest, Session } from "../../ssh/index.ts";
import { Failure } from "../context.ts";
import { pause as standardPause } from "./pause.ts";
import { requestOf } from "./perform.ts";

export interface LeftRunning {
  /** What the instance is called in every run, where that is known. */
  readonly instance?: string | undefined;
  /** Aborted when the run is asked to end. */
  readonly stopping: AbortSignal;
  /** Gets what was waited for, when it has ended. */
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
  const runner = requests.length === 0 ? undefined : await session.leftRunning(requests);
  if (runner === undefined) return false;
  const purposes = tracked.map(({ purpose }) => purpose).join(", ");
  const limit = limitOf(session, requests);
  const began = performance.now();
  for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
    const seconds = (performance.now() - began) / 1000;
    if (limit !== undefined && seconds > limit)
      throw new Failure(endless(session, runner, purposes, seconds));
    await pause(wait, stopping);
    if (stopping.aborted) throw new Failure(stopped(session, runner, purposes));
    if ((await session.leftRunning(requests)) === undefined) break;
  }
  note(waited(session, runner, purposes, (performance.now() - began) / 1000));
  return true;
}

const purposeOf = (operation: Operation): string => ("purpose" in operation ? operation.purpose : "");

/** Seconds; undefined where one of them may run as long as it likes. */
function limitOf({ login }: Session, requests: readonly RunRequest[]): number | undefined {
  const limits = requests.map(({ timeout }) => timeout ?? login.commandTimeout);
  return limits.includes(0) ? undefined : Math.max(...limits) + grace;
}

const whose: Readonly<Record<Runner, { readonly run: string; readonly it: string }>> = {
  ours: { run: "an interrupted run", it: "what an interrupted run had begun there" },
  others: { run: "a run of another project", it: "what a run of another project had begun there" },
};

const waited = ({ login }: Session, runner: Runner, purposes: string, seconds: number): Diagnostic =>
  warningDiagnostic(
    `Waited for ${whose[runner].run}`,
    `${login.host}: ${whose[runner].it} was still running (${purposes}). It was waited for, ${Math.ceil(seconds)} s, and nothing was begun beside it.`,
  );

const stopped = ({ login }: Session, runner: Runner, purposes: string): Diagnostic =>
  errorDiagnostic(
    "Stopped",
    `${login.host}: the run was asked to stop while it waited for ${whose[runner].it} (${purposes}).`,
  );

const endless = ({ login }: Session, runner: Runner, purposes: string, seconds: number): Diagnostic =>
  errorDiagnostic(
    runner === "ours" ? "An interrupted run's command still runs" : "Another project's command still runs",
    `${login.host}: ${whose[runner].it} (${purposes}) still runs after ${Math.ceil(seconds)} s, beyond its time limit. Nothing was begun beside it. End it on the host, then apply again.`,
  );
