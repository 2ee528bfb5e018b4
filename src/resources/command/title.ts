/**
 * @module What a plan calls a command, and what it says of its guards.
 */
import type { PlainObject } from "../../values/plain.ts";
import type { ShownInPlan } from "../shown.ts";

/** `bin/migrate --up`; of several lines the first, of a script what it is for and its length. */
export function commandTitle({ run, script, interpreter }: PlainObject): string {
  if (typeof run === "string") return shortened(run);
  if (typeof script !== "string") return "";
  const words = Array.isArray(interpreter) ? interpreter.join(" ") : "/bin/sh";
  const lines = script.trim().split("\n").length;
  return `${words} (a script of ${lines} ${lines === 1 ? "line" : "lines"})`;
}

function shortened(text: string): string {
  const [first, ...rest] = text.trim().split("\n");
  return rest.length === 0
    ? first!
    : `${first} (and ${rest.length} more ${rest.length === 1 ? "line" : "lines"})`;
}

/** The guards are asked when it is its turn: what comes before it may decide them. */
export const shownCommand: ShownInPlan = {
  condition: ({ creates, unless, only_if }) =>
    [
      ...(typeof creates === "string" ? [`unless ${creates} exists`] : []),
      ...(typeof unless === "string" ? [`unless ${shortened(unless)}`] : []),
      ...(typeof only_if === "string" ? [`only if ${shortened(only_if)}`] : []),
    ].join(", "),
};
