/**
 * @module What is under a step's row in the plan of circuits: its settings and texts that change, and nothing that is
 * computed of them.
 */
import type { PlannedChange } from "../../../engine/index.ts";
import { kinds } from "../../../resources/index.ts";
import type { AttributeSchema } from "../../../schema/schema.ts";
import { containsHidden } from "../../../values/marks.ts";
import { isNull, isUnknown, type Value } from "../../../values/value.ts";
import { isElements } from "../../../values/walk.ts";
import { type Line, line } from "../line.ts";
import { textDiff } from "../text-diff.ts";
import { differs, diffLines } from "../value-diff.ts";
import { entriesOf, isBinary, isMultiLine, knownAfterApply, plainSpelling } from "../value-lines.ts";
import type { Effect } from "./effect.ts";
import { hiddenChange, sizeText } from "./sizes.ts";

/** Lines of a new text that are shown. */
const shownLines = 6;

/** Settings that say how the host is reached or what the engine does, and nothing of what is made. */
const notOfTheObject: ReadonlySet<string> = new Set(["ssh", "id", "drift", "triggers"]);

/** @param whole whether new texts are shown with all their lines */
export function bodyOf(change: PlannedChange, effect: Effect, whole: boolean): readonly Line[] {
  const { before, after, decision } = change;
  switch (effect) {
    case "updated":
    case "replaced":
      return changedLines(change, before, after);
    case "taken_over":
      return decision.existing === undefined ? [] : changedLines(change, decision.existing, after);
    case "new":
      return newLines(change, whole);
    case "runs":
      return textsOf(change, whole);
    case "recorded":
      return decision.action === "none" ? [] : changedLines(change, before, after);
    default:
      return [];
  }
}

/** The settings of the resource that a person writes, in the order of its schema. */
function settingsOf({ type, after, before }: PlannedChange): readonly string[] {
  const kind = kinds.get(type);
  const object = isNull(after) ? before : after;
  if (kind === undefined) return [...entriesOf(object).keys()].filter((name) => !notOfTheObject.has(name));
  const { attributes, blocks } = kind.schema;
  return [
    ...Object.entries(attributes).flatMap(([name, attribute]) => (isWritten(attribute) ? [name] : [])),
    ...Object.keys(blocks),
  ].filter((name) => !notOfTheObject.has(name) && !kind.shown?.hidden?.includes(name));
}

const isWritten = ({ required, optional, writeOnly }: AttributeSchema): boolean =>
  (required ?? false) || (optional ?? false) || writeOnly !== undefined;

function changedLines(change: PlannedChange, before: Value, after: Value): readonly Line[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const kind = kinds.get(change.type);
  const edited = editedIn(change);
  // What is left to the host, and is found out again, is no edit.
  const isFound = (name: string): boolean =>
    !edited.has(name) &&
    kind?.schema.attributes[name]?.computed === true &&
    isUnknown(now.get(name) ?? before);
  const settings = settingsOf(change);
  const differing = settings.filter((name) => differs(old.get(name), now.get(name)) && !isFound(name));
  const onlyOne = differing.length === 1;
  return [
    ...differing.flatMap((name) => {
      const names = namesIn(old.get(kind?.shown?.names?.[name] ?? ""));
      return names.length > 0
        ? [line(0, "~", `${name}:`), ...names.map((each) => line(1, "~", each))]
        : settingLines(name, old.get(name), now.get(name), onlyOne);
    }),
    // What is only written is in no object: that it was edited is all that is known.
    ...settings.flatMap((name) =>
      kind?.schema.attributes[name]?.writeOnly !== undefined && edited.has(name) && !differing.includes(name)
        ? [line(0, "~", `${name} (sensitive), changes`)]
        : [],
    ),
  ];
}

/** Settings that the reasons of a change name. */
const editedIn = ({ decision }: PlannedChange): ReadonlySet<string> =>
  new Set(
    decision.reasons.flatMap(({ paths = [] }) =>
      paths.flatMap(([first]) => (first !== undefined && "attribute" in first ? [first.attribute] : [])),
    ),
  );

const namesIn = (list: Value | undefined): readonly string[] =>
  list !== undefined && isElements(list.data) ? list.data.map((each) => String(each.data)) : [];

/** @param alone whether nothing else changes: a text that does needs no name then */
function settingLines(name: string, old: Value | undefined, now: Value | undefined, alone: boolean): Line[] {
  const [before, after] = [unlessNull(old), unlessNull(now)];
  if (isHidden(before) || isHidden(after)) return [line(0, "~", `${name} ${hiddenChange(before, after)}`)];
  const [oldText, newText] = [textIn(before), textIn(after)];
  if (isLong(oldText) || isLong(newText)) {
    const diff = textChange(oldText, newText, after);
    const label = alone && name === "content" ? [] : [line(0, "~", name)];
    return [...label, ...diff.map((each) => ({ ...each, depth: each.depth + label.length }))];
  }
  if (isCollection(before ?? after)) {
    const [old, now] = [before, after].map((value) => (value === undefined ? "none" : wordsOf(value)));
    const change = `${name} ${old} -> ${now}`;
    if (change.length <= longestCollection) return [line(0, "~", change)];
  }
  return diffLines(
    before,
    after,
    { path: [{ attribute: name }], depth: 0, label: `${name} `, end: "" },
    words,
  );
}

/** Characters up to which a list or map is shown whole, before and after. */
const longestCollection = 100;

const isCollection = (value: Value | undefined): boolean =>
  value !== undefined && !isUnknown(value) && (isElements(value.data) || entriesOf(value).size > 0);

const unlessNull = (value: Value | undefined): Value | undefined =>
  value === undefined || isNull(value) ? undefined : value;

const isHidden = (value: Value | undefined): boolean => value !== undefined && containsHidden(value);

const textIn = (value: Value | undefined): string | undefined =>
  typeof value?.data === "string" ? value.data : undefined;

const isLong = (text: string | undefined): boolean =>
  text !== undefined && isMultiLine(text) && !isBinary(text);

function textChange(before: string | undefined, after: string | undefined, now: Value | undefined): Line[] {
  if (now !== undefined && isUnknown(now))
    return [line(0, "~", `${sizeText(before ?? "")} -> ${knownAfterApply}`)];
  if ((before !== undefined && isBinary(before)) || (after !== undefined && isBinary(after)))
    return [line(0, "~", `${sizeText(before ?? "")} -> ${sizeText(after ?? "")}`)];
  const lines = textDiff(before ?? "", after ?? "", 0);
  if (lines === undefined)
    return [line(0, "~", `${sizeText(before ?? "")} -> ${sizeText(after ?? "")}, too different to compare`)];
  // That the last line has no end is worth a line where that changes.
  const endsAlike = before !== undefined && after !== undefined && endsLine(before) === endsLine(after);
  return endsAlike ? lines.filter(({ text }) => !text.startsWith("\\ No newline")) : lines;
}

const endsLine = (text: string): boolean => text.endsWith("\n");

/** What a new object is like: its settings on one line, the beginning of its text. */
function newLines(change: PlannedChange, whole: boolean): readonly Line[] {
  const kind = kinds.get(change.type);
  // What is left to the host is found out when the object is made.
  const isFound = (name: string, value: Value): boolean =>
    isUnknown(value) && kind?.schema.attributes[name]?.computed === true;
  const named = new Set<string>(
    Object.entries(kind?.schema.attributes ?? {}).flatMap(([name, { identity }]) => (identity ? [name] : [])),
  );
  const values = settingsOf(change).flatMap((name): [string, Value][] => {
    const value = unlessNull(entriesOf(change.after).get(name));
    return value === undefined || named.has(name) || isFound(name, value) ? [] : [[name, value]];
  });
  const short: string[] = [];
  const long: Line[] = [];
  for (const [name, value] of values) {
    const text = textIn(value);
    if (isHidden(value)) short.push(`${name} (sensitive)`);
    else if (isLong(text)) long.push(...beginning(name, text!, whole));
    else short.push(`${name} ${wordsOf(value)}`);
  }
  return [...(short.length === 0 ? [] : [line(0, "+", short.join(", "))]), ...long];
}

/** The texts of what runs, where its row cannot show them whole. */
function textsOf(change: PlannedChange, whole: boolean): readonly Line[] {
  return ["run", "script"].flatMap((name) => {
    const value = entriesOf(change.after).get(name);
    const text = isHidden(value) ? undefined : textIn(value);
    return isLong(text?.trimEnd()) ? textLines(text!, " ", whole) : [];
  });
}

function beginning(name: string, text: string, whole: boolean): Line[] {
  const label = name === "content" ? [] : [line(0, "+", name)];
  return [...label, ...textLines(text, "+", whole).map((each) => ({ ...each, depth: label.length }))];
}

function textLines(text: string, mark: "+" | " ", whole: boolean): Line[] {
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const more = whole ? 0 : lines.length - shownLines;
  // One line is as long as the line that says that it is left out.
  const shown = more > 1 ? lines.slice(0, shownLines) : lines;
  return [
    ...shown.map((each) => line(0, mark, each)),
    ...(more > 1 ? [line(0, mark, "", `${more} more lines (-expand shows them)`)] : []),
  ];
}

/** A value without HCL's punctuation where none is needed: `0644`, `[a, b]`. */
export function wordsOf(value: Value): string {
  if (containsHidden(value)) return "(sensitive)";
  if (isUnknown(value)) return knownAfterApply;
  const { data } = value;
  if (typeof data === "string")
    return /^[^\s"',]+$/u.test(data) && !isBinary(data) ? data : quotedWords(value);
  if (isElements(data)) return `[${data.map(wordsOf).join(", ")}]`;
  const entries = [...entriesOf(value)].filter(([, inner]) => !isNull(inner));
  if (entries.length > 0)
    return `{ ${entries.map(([name, inner]) => `${name} = ${wordsOf(inner)}`).join(", ")} }`;
  return plainSpelling.leaf(value, []) ?? "{}";
}

const quotedWords = (value: Value): string => {
  const text = String(value.data);
  return isBinary(text) ? sizeText(text) : JSON.stringify(text);
};

const words = {
  leaf: (value: Value) => (isLong(textIn(value)) ? undefined : leafOf(value)),
  key: String,
  requiresReplace: [],
  drifted: [],
};

/** Collections with elements are compared element by element. */
const leafOf = (value: Value): string | undefined =>
  isElements(value.data) && value.data.length > 0
    ? undefined
    : entriesOf(value).size > 0
      ? undefined
      : wordsOf(value);
