/**
 * @module Changed text as a unified diff.
 */
import { structuredPatch } from "diff";
import { type Line, type LineMark, line } from "./line.ts";

/** Lines of unchanged text around each change. */
const context = 3;
/** With more edited lines than this a diff does not help, and takes long to compute. */
const mostEdits = 4000;

/**
 * The hunks of the change from `before` to `after`. Their headers (`@@ -12,7 +12,8 @@`) are left out when nothing of
 * the text is. Undefined when too much differs.
 */
export function textDiff(before: string, after: string, depth: number): Line[] | undefined {
  const patch = structuredPatch("", "", before, after, "", "", { context, maxEditLength: mostEdits });
  if (patch === undefined) return undefined;
  const { hunks } = patch;
  const whole =
    hunks.length === 1 && hunks[0]!.oldLines >= lineCount(before) && hunks[0]!.newLines >= lineCount(after);
  return hunks.flatMap((hunk) => [
    ...(whole
      ? []
      : [line(depth, " ", `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`)]),
    ...hunk.lines.map((text) => line(depth, markOf(text), text.startsWith("\\") ? text : text.slice(1))),
  ]);
}

const markOf = (text: string): LineMark =>
  text.startsWith("+") || text.startsWith("-") ? (text[0] as "+" | "-") : " ";

function lineCount(text: string): number {
  const lines = text.split("\n").length;
  return text.endsWith("\n") || text === "" ? lines - 1 : lines;
}
