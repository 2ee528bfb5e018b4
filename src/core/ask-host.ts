/**
 * @module Asks a host one question: our own scripts in the fact shell, the user's text on a channel of its own;
 * and URLs from here.
 */
import type { CommandAnswer, Question } from "../resources/operation.ts";
import type { Session } from "../ssh/session.ts";
import { askUrl } from "./ask-url.ts";

/**
 * @param stopping aborted when nobody waits for the answer any more
 * @throws HostError when the host cannot be asked
 */
export function askHost(
  session: Session,
  question: Question,
  stopping?: AbortSignal,
): Promise<CommandAnswer> {
  if (question.ask === "script") return session.ask(question.script);
  if (question.ask === "url") return askUrl(question, stopping);
  const limit = question.timeout === undefined ? {} : { timeout: question.timeout };
  return question.ask === "slow"
    ? session.run({ script: question.script.text, ours: true, ...limit })
    : session.run({ script: question.script, ...limit });
}
