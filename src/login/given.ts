/**
 * @module Something given for a host or a login as far as it is known: by the text of an expression, or by its value. What is
 * wrong with it is the same, so that one function looks for it.
 */
import type { SourceRange } from "../diagnostics/source.ts";
import { unmark } from "../values/marks.ts";
import { friendlyName } from "../values/type-text.ts";
import { isNull, isUnknown, type Value } from "../values/value.ts";
import { isElements, isEntries } from "../values/walk.ts";

export interface Given {
  readonly kind: "unknown" | "null" | "string" | "list" | "object" | "other";
  /** What it is, for messages: `a number`. */
  readonly called: string;
  /** Whether that is what the text says; otherwise it is a value. */
  readonly isWritten: boolean;
  /** The text of a string, or of a number as it is written. */
  readonly text?: string;
  /** The items of a list. */
  readonly items?: readonly Given[];
  /** The entries of an object. */
  readonly entries?: readonly GivenEntry[];
  readonly range: SourceRange;
}

export interface GivenEntry {
  /** Undefined where the text does not show it. */
  readonly name: string | undefined;
  readonly nameRange: SourceRange;
  readonly value: Given;
}

/** @param range of the whole: where its parts come from is not known */
export function givenValue(given: Value, range: SourceRange): Given {
  const value = unmark(given);
  const { data, type } = value;
  const about = { called: isNull(value) ? "null" : friendlyName(type), isWritten: false, range };
  if (isUnknown(value)) return { kind: "unknown", ...about };
  if (data === null) return { kind: "null", ...about };
  if (typeof data === "string") return { kind: "string", text: data, ...about };
  if (isElements(data))
    return { kind: "list", items: data.map((element) => givenValue(element, range)), ...about };
  if (!isEntries(data)) return { kind: "other", ...about };
  const entries = [...data].map(([name, entry]) => ({
    name,
    nameRange: range,
    value: givenValue(entry, range),
  }));
  return { kind: "object", entries, ...about };
}
