/**
 * @module What is known of a call: how it is shown, and whether something in it is secret. The console shows "(known after
 * apply)" for what is unknown, secret or not; a search beside it finds "@", and its answer is as secret as the value.
 */
import { readFileSync } from "node:fs";
import { literalCall, variantsOf } from "./variants.ts";

export interface Answer {
  readonly shown: string;
  readonly isSecret: boolean;
}

/** Marks the text of a secret one in the list of recorded answers. */
const mark = "secret: ";

export const writeAnswer = ({ shown, isSecret }: Answer): string => (isSecret ? mark : "") + shown;

export const readAnswer = (text: string): Answer => ({
  shown: text.replace(mark, ""),
  isSecret: text.startsWith(mark),
});

export const secrecy = (expression: string): string => `contains(["@", ${expression}], "@")`;

export const isSecret = (answer: string): boolean => answer === "(sensitive value)";

/** One call of each way in which a function works, all of its arguments literals. */
export const calls = readFileSync(new URL("calls.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

/** The call and what is made of it. @throws Error for a call that is none of literals */
export function expressionsOf(text: string): readonly string[] {
  const call = literalCall(text);
  if (call === undefined) throw new Error(`${text} is no call with literal arguments`);
  return [text, ...variantsOf(call)];
}
