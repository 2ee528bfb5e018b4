/**
 * @module Asks a host one question: our own scripts in the fact shell, the user's text on a channel of its own.
 */
import type { CommandAnswer, Question } from "../resources/operation.ts";
import type { Session } from "../ssh/session.ts";

/** @throws HostError when the host cannot be asked */
export function askHost(session: Session, question: Question): Promise<CommandAnswer> {
  if (question.ask === "script") return session.ask(question.script);
  const { script, timeout } = question;
  return session.run({ script, ...(timeout === undefined ? {} : { timeout }) });
}
