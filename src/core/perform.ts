/**
 * @module Carrying out operations on a host, one after another.
 */
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Operation, ScriptOperation } from "../resources/operation.ts";
import type { Session } from "../ssh/session.ts";
import { Failure } from "./context.ts";

export interface Progress {
  /** How many operations were carried out completely. */
  done: number;
}

/**
 * @param progress counts as it goes, so that after a failure it is known whether anything was changed
 * @throws Failure when an operation is refused or fails on the host
 * @throws HostError when the host cannot be worked with any more
 */
export async function perform(
  session: Session,
  operations: readonly Operation[],
  progress: Progress,
): Promise<void> {
  for (const operation of operations) {
    await performOne(session, operation);
    progress.done++;
  }
}

async function performOne(session: Session, operation: Operation): Promise<void> {
  switch (operation.do) {
    case "put":
      return session.put(operation);
    case "script":
      return runScript(session, operation);
    case "refuse":
      throw new Failure(errorDiagnostic(operation.summary, operation.detail));
  }
}

async function runScript(session: Session, { script, own, purpose, advice }: ScriptOperation): Promise<void> {
  const answer = own ? await session.run({ script: script.text }) : await session.ask(script);
  if (answer.status === 0) return;
  const said = answer.stderr.toString("utf8").trim();
  const detail = [
    `${session.login.host}: could not ${purpose}: status ${answer.status}${said === "" ? "." : `, and it said:`}`,
    ...(said === "" ? [] : [said.replace(/^/gm, "  ")]),
    ...(advice === undefined ? [] : [advice]),
  ];
  throw new Failure(errorDiagnostic("Operation failed on the host", detail.join("\n")));
}
