/**
 * @module Waiting for something on a host: asked from here, so that neither a lost connection nor a reboot ends it.
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { CommandAnswer, WaitOperation } from "../resources/operation.ts";
import { HostError } from "../ssh/host-error.ts";
import type { Session } from "../ssh/session.ts";
import { askHost } from "./ask-host.ts";
import { Failure } from "./context.ts";

/** Seconds for one answer where the host may be going away: a connection to a host that vanished tells nothing. */
const longestAnswer = 20;

export interface Waiting {
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Whether the run was asked to end. */
  readonly isStopped: () => boolean;
}

/**
 * @returns the answer that ended the waiting
 * @throws Failure when the time is over, or the run was asked to end
 * @throws HostError when the host cannot be asked, unless it may be away
 */
export async function waitFor(
  session: Session,
  operation: WaitOperation,
  { sleep, isStopped }: Waiting,
): Promise<CommandAnswer> {
  const deadline = performance.now() + operation.timeout * 1000;
  for (;;) {
    const answer = await ask(session, operation);
    if (!(answer instanceof HostError) && answer.status === 0) return answer;
    if (performance.now() + operation.interval * 1000 >= deadline) {
      throw new Failure(tooLong(session, operation, answer));
    }
    await sleep(operation.interval * 1000);
    if (isStopped()) throw new Failure(stopped(session, operation));
  }
}

/** @returns why the host could not be asked, where it may be away */
async function ask(
  session: Session,
  { question, reconnect }: WaitOperation,
): Promise<CommandAnswer | HostError> {
  if (!reconnect) return askHost(session, question);
  await session.reset?.();
  const limit = AbortSignal.timeout(longestAnswer * 1000);
  const noAnswer = new Promise<HostError>((resolve) => {
    limit.addEventListener("abort", () =>
      resolve(new HostError("lost", session.login.host, `no answer within ${longestAnswer} s`)),
    );
  });
  try {
    return await Promise.race([askHost(session, question), noAnswer]);
  } catch (error) {
    if (error instanceof HostError && mayPass(error)) return error;
    throw error;
  }
}

/** While a host boots it refuses connections, then logins (pam_nologin), and breaks off what it accepted. */
const mayPass = ({ code }: HostError): boolean =>
  ["unreachable", "login_refused", "become_refused", "no_shell", "lost", "timeout"].includes(code);

const stopped = ({ login }: Session, { purpose }: WaitOperation): Diagnostic =>
  errorDiagnostic("Stopped", `${login.host}: the run was asked to stop while it waited for ${purpose}.`);

function tooLong(
  { login }: Session,
  { purpose, timeout, advice }: WaitOperation,
  last: CommandAnswer | HostError,
) {
  const said = last instanceof HostError ? last.message : last.stderr.toString("utf8").trim();
  return errorDiagnostic(
    "Waited in vain",
    [
      `${login.host}: waited ${timeout} s for ${purpose}.`,
      ...(said === "" ? [] : [`Last seen: ${said}`]),
      ...(advice === undefined ? [] : [advice]),
    ].join("\n"),
  );
}
