/**
 * @module Why something failed on a host, in a line for a table: what is said of every failed operation tells nobody
 * anything there.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/** Of an operation that a host did not do. Its detail begins with the host and with what could not be done. */
export const operationFailed = "Operation failed on the host";

const firstLine = /^\S+: (?<what>.+?)(?:, and it said:|\.)$/m;

export function failureReason({ summary, detail }: Pick<Diagnostic, "summary" | "detail">): string {
  if (summary !== operationFailed) return summary;
  const { what } = firstLine.exec(detail.split("\n", 1)[0]!)?.groups ?? {};
  return what === undefined ? summary : `${what[0]!.toUpperCase()}${what.slice(1)}`;
}
