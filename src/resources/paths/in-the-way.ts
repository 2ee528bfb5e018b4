/**
 * @module Diagnostics about something else that is where an object is to be.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { at } from "../../values/path.ts";

/**
 * A warning only: what the run takes away (a step that made a directory where a file is wanted now) goes before anything
 * is made, and is not known yet while this is planned.
 *
 * @param problem what is there: `/srv/web is a directory`
 */
export const inTheWay = (problem: string): Diagnostic =>
  warningDiagnostic(
    "Something else is in its place",
    `On the host, ${problem}, which is left as it is: the apply fails unless it is taken away before. Remove it or choose another path.`,
    { attribute: at("path") },
  );

/**
 * Why an operation is refused, with what to do.
 * @param problem what is there, or why that is not known: `/srv/web is a directory`
 */
export function refusedFor(problem: string): string {
  const todo = problem.includes("could not be looked at")
    ? "Nothing was changed there."
    : "Remove it or choose another path.";
  return `On the host, ${problem}. ${todo}`;
}
