/**
 * @module The reason of a failure on a host as one line for a table, without the words that all failed operations
 * have in common.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** For a failed operation: its detail begins with the host and with what could not be done. */
export const operationFailed = "Operation failed on the host";

const firstLine = /^\S+: (?<what>.+?)(?:, and it said:|\.)$/m;

export function failureReason({ summary, detail }: Pick<Diagnostic, "summary" | "detail">): string {
  if (summary !== operationFailed) return summary;
  const { what } = firstLine.exec(detail.split("\n", 1)[0]!)?.groups ?? {};
  return what === undefined ? summary : `${what[0]!.toUpperCase()}${what.slice(1)}`;
}
