/**
 * @module What may be said of a text that is not shown: its size, and how many lines come and go.
 */
import { isUnknown, type Value } from "../../../values/value.ts";
import { textDiff } from "../text-diff.ts";
import { isBinary, knownAfterApply } from "../value-lines.ts";

/** `120 bytes`, `4 lines` */
export function sizeText(text: string): string {
  if (isBinary(text) || !text.includes("\n")) return counted(Buffer.byteLength(text), "byte");
  return counted(text.split("\n").length - (text.endsWith("\n") ? 1 : 0), "line");
}

/** `(sensitive): 4 lines -> 5 lines, 2 added, 1 removed`; nothing of what either says. */
export function hiddenChange(before: Value | undefined, after: Value | undefined): string {
  const [old, now] = [before?.data, after?.data];
  if (after !== undefined && isUnknown(after)) return `(sensitive) -> ${knownAfterApply}`;
  if (before === undefined) return "(sensitive) is set";
  if (after === undefined) return "(sensitive) is not set any more";
  // What is short, as a password is, could be guessed by its size.
  const isText =
    typeof old === "string" && typeof now === "string" && (old.includes("\n") || now.includes("\n"));
  if (!isText) return "(sensitive) changes";
  const lines = textDiff(old, now, 0) ?? [];
  const [added, removed] = ["+", "-"].map((mark) => lines.filter((each) => each.mark === mark).length);
  return `(sensitive): ${sizeText(old)} -> ${sizeText(now)}, ${added} added, ${removed} removed`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
