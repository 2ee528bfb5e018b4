/**
 * @module Reports addresses of `-replace` that do not exist.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";

/** @param known addresses of all stored instances */
export function unknownReplacements(
  replace: Iterable<string>,
  known: readonly string[],
): readonly Diagnostic[] {
  const all = new Set(known);
  return [...replace]
    .filter((address) => !all.has(address))
    .map((address) => {
      const near = nearest(address, known);
      const hint = near === undefined ? "See conn3x state list." : `Did you mean ${near}?`;
      return errorDiagnostic(
        "There is nothing to be replaced at this address",
        `${address} is not in the state. ${hint}`,
      );
    });
}
