/**
 * @module Marks: adding them, taking them off, and remembering where they were.
 */
import type { Path } from "./path.ts";
import type { Mark, Value } from "./value.ts";
import { children, rebuild, setPath } from "./walk.ts";

/** Marks at a path inside a value. */
export interface MarkedPath {
  readonly path: Path;
  readonly marks: ReadonlySet<Mark>;
}

/** The value with one more mark. */
export function withMark(value: Value, mark: Mark): Value {
  return value.marks?.has(mark) ? value : withMarks(value, [mark]);
}

/** The value with all of `marks` too. Without any, the value itself. */
export function withMarks(value: Value, marks: Iterable<Mark>): Value {
  const all = new Set(value.marks);
  for (const mark of marks) all.add(mark);
  return all.size === (value.marks?.size ?? 0) ? value : { type: value.type, data: value.data, marks: all };
}

/** The value without its own marks; those of its elements stay. */
export function unmark(value: Value): Value {
  return value.marks === undefined ? value : { type: value.type, data: value.data };
}

/** The value without any mark, and where the marks were: `markPaths(value, paths)` puts them back. */
export function unmarkDeep(value: Value): { readonly value: Value; readonly paths: readonly MarkedPath[] } {
  const paths: MarkedPath[] = [];
  return { value: strip(value, [], paths), paths };
}

function strip(value: Value, path: Path, found: MarkedPath[]): Value {
  if (value.marks !== undefined && value.marks.size > 0) found.push({ path, marks: value.marks });
  return rebuild(unmark(value), (child, step) => strip(child, [...path, step], found));
}

/** The value with marks at the given paths; a path that the value does not have is passed over. */
export function markPaths(value: Value, paths: readonly MarkedPath[]): Value {
  return paths.reduce(
    (marked, { path, marks }) => setPath(marked, path, (inner) => withMarks(inner, marks)),
    value,
  );
}

/** Whether the value or anything inside it has the mark. */
export function containsMark(value: Value, mark: Mark): boolean {
  if (value.marks?.has(mark)) return true;
  for (const child of children(value)) if (containsMark(child, mark)) return true;
  return false;
}

/** Whether the value or anything inside it is not to be shown. */
export function containsHidden(value: Value): boolean {
  if (value.marks !== undefined && value.marks.size > 0) return true;
  for (const child of children(value)) if (containsHidden(child)) return true;
  return false;
}

/** All marks of the value and of everything inside it. */
export function marksDeep(value: Value): ReadonlySet<Mark> {
  const found = new Set<Mark>();
  collect(value, found);
  return found;
}

function collect(value: Value, found: Set<Mark>): void {
  for (const mark of value.marks ?? []) found.add(mark);
  for (const child of children(value)) collect(child, found);
}
