/**
 * @module What an engine says on standard error, made for a terminal, as text: without its colours and its frame.
 */
import { stripVTControlCharacters } from "node:util";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";

/** Its words alone. */
export const plainComplaint = (stderr: string): string =>
  stripVTControlCharacters(stderr)
    .split("\n")
    .filter((line) => !/^[╷╵]\s*$/.test(line))
    .map((line) => line.replace(/^│ ?/, ""))
    .join("\n")
    .trim();

/**
 * The engine's own errors, each with its summary and detail.
 *
 * @param otherwise what is said where it gave none
 */
export function complaintErrors(stderr: string, otherwise: Diagnostic): readonly Diagnostic[] {
  const text = plainComplaint(stderr);
  const [before = "", ...errors] = text.split(/^Error: /m);
  if (errors.length === 0) {
    return [before === "" ? otherwise : { ...otherwise, detail: `${otherwise.detail}\n\n${before}`.trim() }];
  }
  return errors.map((error) => {
    const end = error.indexOf("\n");
    return end === -1
      ? errorDiagnostic(error.trim(), "")
      : errorDiagnostic(error.slice(0, end).trim(), error.slice(end).trim());
  });
}
