/**
 * @module Whether a range touches any of many others.
 */
import { groupBy } from "../values/group-by.ts";
import type { SourceRange } from "./source.ts";

/** @returns a test for whether a range overlaps one of `ranges` or shares an end with it */
export function touching(ranges: readonly SourceRange[]): (range: SourceRange) => boolean {
  const byFile = groupBy(ranges, ({ file }) => file);
  const merged = new Map([...byFile].map(([file, own]) => [file, withoutOverlaps(own)]));
  return ({ file, start, end }) => {
    const own = merged.get(file) ?? [];
    let [low, high] = [0, own.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (own[middle]!.end < start) low = middle + 1;
      else high = middle;
    }
    return low < own.length && own[low]!.start <= end;
  };
}

/** The ranges merged where they overlap, in order. */
function withoutOverlaps(ranges: readonly SourceRange[]): readonly SourceRange[] {
  const found: SourceRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last === undefined || last.end < range.start) found.push(range);
    else found[found.length - 1] = { ...last, end: Math.max(last.end, range.end) };
  }
  return found;
}
