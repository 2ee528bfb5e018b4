/**
 * @module What is said of an error that no layer expected.
 */
import { unexpectedLocation, unexpectedTrace } from "../../diagnostics/unexpected-error.ts";

/** @param isTraced whether all of the stack is wanted, to report it with */
export function unexpectedText(error: unknown, isTraced: boolean): string {
  const advice = isTraced
    ? unexpectedTrace(error)
    : "Run the same with CONN3X_TRACE=1 for a trace to report it with.";
  return `\nError: this is a defect of Conn3x: ${unexpectedLocation(error)}\n${advice}\n`;
}
