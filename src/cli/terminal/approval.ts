/**
 * @module Asks for approval: always with the same words, and only "yes" counts.
 */
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Terminal } from "./terminal.ts";

/** A question to a person. */
export interface Question {
  /** The command's name as it begins a sentence: `Apply`. */
  readonly command: string;
  readonly question: string;
  readonly explanation: string;
  /** Option that goes without asking. */
  readonly unasked: `-${string}`;
}

/**
 * @param signal ends the asking
 * @returns whether the answer was "yes"; anything else was reported
 */
export async function isApproved(
  terminal: Terminal,
  question: Question,
  signal?: AbortSignal,
): Promise<boolean> {
  const { bold } = terminal.colors;
  terminal.out(
    `\n${bold(question.question)}\n  ${question.explanation}\n  Only 'yes' will be accepted to approve.\n\n`,
  );
  const answer = await terminal.ask(`  ${bold("Enter a value:")} `, signal);
  if (answer === "yes") return true;
  if (answer === undefined && signal?.aborted !== true) terminal.report([nobodyToAsk(question)]);
  terminal.out(`\n${question.command} cancelled.\n`);
  return false;
}

export const nobodyToAsk = ({ command, unasked }: Pick<Question, "command" | "unasked">) =>
  errorDiagnostic(
    `${command} needs somebody to approve it`,
    `It asks before it acts, and there is nobody to ask. Give ${unasked} to act without being asked.`,
  );
