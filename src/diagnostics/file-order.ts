/**
 * @module The order in which diagnostics are shown: that of their locations.
 */
import type { Diagnostic } from "./diagnostic.ts";
import type { SourceFile } from "./source.ts";

/** Diagnostics without a location first, then file by file from the top down, those of other files last; a stable order. */
export function inFileOrder(
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
): readonly Diagnostic[] {
  const order = new Map(files.map((file, index) => [file, index]));
  const fileOf = ({ range }: Diagnostic) =>
    range === undefined ? -1 : (order.get(range.file) ?? files.length);
  return [...diagnostics].sort(
    (a, b) => fileOf(a) - fileOf(b) || (a.range?.start ?? 0) - (b.range?.start ?? 0),
  );
}
