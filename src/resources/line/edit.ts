/**
 * @module Editing one line of a text file: whether it is as wanted, and the edited file.
 */
import type { PlainObject } from "../../values/plain.ts";
import { compile, expand } from "../regexp.ts";
import { insertLine, joinLines, replaceLine, splitLines, type TextLine } from "./text-lines.ts";

/** What is there of a wanted line. */
export type LineFound =
  | { readonly state: "as_wanted" }
  /** Another text stands where the wanted one belongs. */
  | { readonly state: "other"; readonly index: number; readonly text: string; readonly wanted: string }
  | { readonly state: "missing" };

/** @param want a `conn3x_line` whose `state` is `present` */
export function findLine(content: Buffer, want: PlainObject): LineFound {
  return find(splitLines(content), want);
}

function find(lines: readonly TextLine[], want: PlainObject): LineFound {
  const line = String(want.line);
  if (typeof want.regexp === "string") {
    const regexp = compile(want.regexp);
    const index = lines.findLastIndex(({ text }) => regexp.test(text));
    if (index >= 0) {
      const { text } = lines[index]!;
      const wanted = want.backrefs === true ? expand(line, regexp, text) : line;
      return text === wanted ? { state: "as_wanted" } : { state: "other", index, text, wanted };
    }
    // Without a match there is nothing that the references could stand for.
    if (want.backrefs === true) return { state: "as_wanted" };
  }
  return lines.some(({ text }) => text === line) ? { state: "as_wanted" } : { state: "missing" };
}

/** Whether the file would be another with the line as wanted. */
export const changes = (content: Buffer, want: PlainObject): boolean =>
  want.state === "absent" ? hasUnwanted(content, want) : findLine(content, want).state !== "as_wanted";

/** Whether there is a line that `state = "absent"` is to remove. */
export const hasUnwanted = (content: Buffer, want: PlainObject): boolean =>
  splitLines(content).some(isUnwanted(want));

const isUnwanted = (want: PlainObject): ((line: TextLine) => boolean) => {
  if (typeof want.regexp !== "string") return ({ text }) => text === want.line;
  const regexp = compile(want.regexp);
  return ({ text }) => regexp.test(text);
};

export const withoutUnwanted = (content: Buffer, want: PlainObject): Buffer => {
  const unwanted = isUnwanted(want);
  return joinLines(splitLines(content).filter((line) => !unwanted(line)));
};

/**
 * The file with the line as wanted.
 *
 * @param before the line that an earlier apply put there, which the wanted one replaces
 */
export function withLine(content: Buffer, want: PlainObject, before: string | undefined): Buffer {
  const lines = splitLines(content);
  const found = find(lines, want);
  if (found.state === "as_wanted") return content;
  if (found.state === "other") return joinLines(replaceLine(lines, found.index, found.wanted));
  const line = String(want.line);
  const old = before === undefined ? -1 : lines.findLastIndex(({ text }) => text === before);
  return joinLines(old >= 0 ? replaceLine(lines, old, line) : insertLine(lines, place(lines, want), line));
}

/**
 * What an edit is about to do that its settings alone do not show.
 *
 * @param want a `conn3x_line` of which everything is known
 */
export function consequences(
  content: Buffer,
  want: PlainObject,
): { readonly goes: readonly string[]; readonly misses?: "insert_before" | "insert_after" } {
  const lines = splitLines(content);
  if (want.state === "absent") return { goes: lines.filter(isUnwanted(want)).map(({ text }) => text) };
  const found = find(lines, want);
  if (found.state === "other") return { goes: [found.text] };
  if (found.state === "as_wanted") return { goes: [] };
  const misses = (["insert_before", "insert_after"] as const).find((name) => {
    const regexp = want[name];
    if (typeof regexp !== "string" || regexp === "BOF" || regexp === "EOF") return false;
    return !lines.some(({ text }) => compile(regexp).test(text));
  });
  return { goes: [], ...(misses === undefined ? {} : { misses }) };
}

/** Where a new line goes; at the end where the line that it is to stand beside does not exist. */
function place(lines: readonly TextLine[], want: PlainObject): number {
  const { insert_before: before, insert_after: after } = want;
  if (typeof before === "string") {
    if (before === "BOF") return 0;
    const regexp = compile(before);
    const index = lines.findIndex(({ text }) => regexp.test(text));
    return index < 0 ? lines.length : index;
  }
  if (typeof after === "string" && after !== "EOF") {
    const regexp = compile(after);
    const index = lines.findLastIndex(({ text }) => regexp.test(text));
    return index < 0 ? lines.length : index + 1;
  }
  return lines.length;
}
