/**
 * @module Problems with values that come of what the compiler has found wrong in the text.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../../diagnostics/source.ts";

/** Whether a problem is about something in which an error was found already. @param found also warnings, which do not count */
export function alreadyReported(found: readonly Diagnostic[]): (problem: Diagnostic) => boolean {
  const byFile = new Map<SourceFile, SourceRange[]>();
  for (const { severity, range } of found) {
    if (severity !== "error" || range === undefined) continue;
    const ranges = byFile.get(range.file);
    if (ranges === undefined) byFile.set(range.file, [range]);
    else ranges.push(range);
  }
  return ({ range }) =>
    range !== undefined &&
    (byFile.get(range.file) ?? []).some((error) => range.start <= error.start && error.end <= range.end);
}
