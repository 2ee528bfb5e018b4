/**
 * @module Asks a host one question: our own scripts in the fact shell, the user's scripts on a channel of their own;
 * and URLs from here.
 */
import type { CommandAnswer, Question } from "../../resources/operation.ts";
import { notWritten, type Session, type Written } from "../../ssh/index.ts";
import { askUrl } from "./ask-url.ts";

export interface Asking {
  /** What a log may show of it, if not all. */
  readonly written?: Written;
  /** Aborted when the answer is no longer needed. */
  readonly stopping?: AbortSignal | undefined;
  /** Whether it shares the time that the host has for what is read there. Default false. */
  readonly reads?: boolean;
}

/** @throws HostError when the host cannot be asked */
export function askHost(
  session: Session,
  question: Question,
  { written, stopping, reads = false }: Asking = {},
): Promise<CommandAnswer> {
  if (question.ask === "url") return askUrl(question, stopping);
  if (question.ask === "script")
    return session.ask(
      question.script,
      question.hidesAnswer ? { ...withoutAnswer, ...written } : written,
      question.most,
    );
  const limit = question.timeout === undefined ? {} : { timeout: question.timeout };
  if (question.ask === "slow")
    return session.run({
      script: question.script.text,
      ours: true,
      reads,
      ...limit,
      ...(written && { written }),
    });
  const text = question.written === undefined ? {} : { text: question.written };
  return session.run({ script: question.script, reads, ...limit, written: { ...text, ...written } });
}

/** For answers with contents of files: more people may read a log than those files. */
export const withoutAnswer: Written = { output: () => "(not shown: what is in files)" };

/** Everything, or nothing if the configuration has sensitive values in it. */
export const writtenUnless = (isQuiet: boolean, purpose: string): Written =>
  isQuiet ? { ...notWritten, purpose } : { purpose };
