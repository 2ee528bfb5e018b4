/**
 * @module Asks a host one question: our own scripts in the fact shell, the user's text on a channel of its own;
 * and URLs from here.
 */
import type { CommandAnswer, Question } from "../resources/operation.ts";
import type { Session, Written } from "../ssh/session.ts";
import { notWritten } from "../ssh/trace/not-written.ts";
import { askUrl } from "./ask-url.ts";

/**
 * @param written what a log may show of it, where that is less than all
 * @param stopping aborted when nobody waits for the answer any more
 * @throws HostError when the host cannot be asked
 */
export function askHost(
  session: Session,
  question: Question,
  written?: Written,
  stopping?: AbortSignal,
): Promise<CommandAnswer> {
  if (question.ask === "url") return askUrl(question, stopping);
  if (question.ask === "script")
    return session.ask(question.script, question.hidesAnswer ? { ...withoutAnswer, ...written } : written);
  const limit = question.timeout === undefined ? {} : { timeout: question.timeout };
  if (question.ask === "slow")
    return session.run({ script: question.script.text, ours: true, ...limit, ...(written && { written }) });
  const text = question.written === undefined ? {} : { text: question.written };
  return session.run({ script: question.script, ...limit, written: { ...text, ...written } });
}

/** For answers that are what is in files: a log is read by more people than those. */
export const withoutAnswer: Written = { output: () => "(not shown: what is in files)" };

/** Everything, or nothing where the configuration has something sensitive in it. */
export const writtenUnless = (isQuiet: boolean, purpose: string): Written =>
  isQuiet ? { ...notWritten, purpose } : { purpose };
