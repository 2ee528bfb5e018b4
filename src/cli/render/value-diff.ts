/**
 * @module What changes between two values, as OpenTofu's plan shows it: `+ ~ -`, texts as a unified diff, what stays
 * the same counted and hidden.
 */
import { valuesEqual } from "../../values/equal.ts";
import { type Path, pathEquals, within } from "../../values/path.ts";
import { isNull, isUnknown, type Value } from "../../values/value.ts";
import { isElements, isEntries } from "../../values/walk.ts";
import { hiddenLine, type Line, type LineMark, line } from "./line.ts";
import { textDiff } from "./text-diff.ts";
import {
  entriesOf,
  type Frame,
  isBinary,
  isHidden,
  isMap,
  isMultiLine,
  knownAfterApply,
  labels,
  type Spelling,
  sensitiveText,
  stepTo,
  valueLines,
} from "./value-lines.ts";

/** How a diff is written, and what is said about paths besides their values. */
export interface DiffStyle extends Spelling {
  /** Settings that force a replacement. */
  readonly requiresReplace: readonly Path[];
  /** Settings at which it is noted that they changed on the host. */
  readonly drifted: readonly Path[];
}

/** Stands for a value that is another one on each of several hosts. */
export const differsText = "(differs by host)";

/** Where in the object a value is, how deep it stands, and what is written around it. */
export interface Position {
  readonly path: Path;
  readonly depth: number;
  /** `name = `, or nothing in a list. */
  readonly label: string;
  /** `,` in a list. */
  readonly end: string;
}

/**
 * @param before undefined where there was none: an attribute or element that is added
 * @param after undefined where there will be none
 * @returns no lines when both are equal
 */
export function diffLines(
  before: Value | undefined,
  after: Value | undefined,
  position: Position,
  style: DiffStyle,
): Line[] {
  if (!differs(before, after)) return [];
  if (before === undefined || isNull(before))
    return valueLines(after!, frame(position, "+", "", style), style);
  if (after === undefined || isNull(after)) {
    const arrow = position.label === "" ? "" : " -> null";
    return valueLines(before, frame(position, "-", arrow, style), style);
  }
  if (isHidden(before) || isHidden(after)) return [changeLine(sensitiveText, position, style)];
  if (isUnknown(after)) return becomesUnknown(before, position, style);
  if (isElements(before.data) && isElements(after.data))
    return listLines(before.data, after.data, position, style);
  if (isEntries(before.data) && isEntries(after.data)) {
    return bracketed(
      "{",
      "}",
      entryDiffLines(before, after, position.path, position.depth + 1, style),
      position,
      style,
    );
  }
  return changedLeaf(before, after, position, style);
}

/** Whether there is something to show: an attribute that is null and one that is not there are the same. */
export function differs(before: Value | undefined, after: Value | undefined): boolean {
  if (before === undefined || isNull(before)) return after !== undefined && !isNull(after);
  return after === undefined || !valuesEqual(before, after);
}

/** The attributes of an object, or the entries of a map, that differ; the others counted. */
export function entryDiffLines(
  before: Value,
  after: Value,
  path: Path,
  depth: number,
  style: DiffStyle,
): Line[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const all = [...new Set([...old.keys(), ...now.keys()])].sort();
  const names = all.filter((name) => isMap(after) || isSet(old.get(name)) || isSet(now.get(name)));
  const differing = names.filter((name) => differs(old.get(name), now.get(name)));
  const label = labels(differing, isMap(after), style);
  const lines = differing.flatMap((name) => {
    const position = { path: [...path, stepTo(after, name)], depth, label: label(name), end: "" };
    return diffLines(old.get(name), now.get(name), position, style);
  });
  const unchanged = names.length - differing.length;
  return unchanged === 0
    ? lines
    : [...lines, hiddenLine(depth, unchanged, isMap(after) ? "element" : "attribute")];
}

const isSet = (value: Value | undefined): boolean => value !== undefined && !isNull(value);

function becomesUnknown(before: Value, position: Position, style: DiffStyle): Line[] {
  const short = style.leaf(before, position.path);
  if (short !== undefined) return [changeLine(`${short} -> ${knownAfterApply}`, position, style)];
  const [first, ...rest] = valueLines(before, frame(position, "-", ` -> ${knownAfterApply}`, style), style);
  return [{ ...first!, mark: "~" }, ...rest];
}

/** Lists are compared by position, as decisions are (X3). */
function listLines(
  before: readonly Value[],
  after: readonly Value[],
  position: Position,
  style: DiffStyle,
): Line[] {
  const depth = position.depth + 1;
  const lines: Line[] = [];
  let unchanged = 0;
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const element = { path: [...position.path, { index }], depth, label: "", end: "," };
    const found = diffLines(before[index], after[index], element, style);
    if (found.length === 0) unchanged++;
    lines.push(...found);
  }
  const [only] = lines;
  if (only !== undefined && lines.length === 1 && unchanged === 0 && only.mark === "~") {
    const inline = changeLine(`[ ${only.text.slice(0, -1)} ]`, position, style);
    return [only.note === undefined ? inline : { ...inline, note: only.note }];
  }
  if (unchanged > 0) lines.push(hiddenLine(depth, unchanged, "element"));
  return bracketed("[", "]", lines, position, style);
}

/** Scalars, and values that have no common form. */
function changedLeaf(before: Value, after: Value, position: Position, style: DiffStyle): Line[] {
  const [old, now] = [style.leaf(before, position.path), style.leaf(after, position.path)];
  if (old === differsText && now === differsText) return [changeLine(differsText, position, style)];
  if (old !== undefined && now !== undefined) return [changeLine(`${old} -> ${now}`, position, style)];
  if (typeof before.data === "string" && typeof after.data === "string") {
    const hunks = textHunks(before.data, after.data, position.depth + 1);
    if (hunks !== undefined) return bracketed("<<-EOT", "EOT", hunks, position, style);
  }
  return [
    ...valueLines(before, frame(position, "-", "", style), style),
    ...valueLines(after, frame(position, "+", "", style), style),
  ];
}

function textHunks(before: string, after: string, depth: number): Line[] | undefined {
  if (!isMultiLine(before) && !isMultiLine(after)) return undefined;
  return isBinary(before) || isBinary(after) ? undefined : textDiff(before, after, depth);
}

const bracketed = (
  open: string,
  close: string,
  inner: readonly Line[],
  position: Position,
  style: DiffStyle,
): Line[] => [
  line(position.depth, "~", `${position.label}${open}`, noteFor(position.path, style)),
  ...inner,
  line(position.depth, " ", `${close}${position.end}`),
];

const changeLine = (text: string, position: Position, style: DiffStyle): Line =>
  line(position.depth, "~", `${position.label}${text}${position.end}`, noteFor(position.path, style));

const frame = (
  { path, depth, label, end }: Position,
  mark: LineMark,
  after: string,
  style: DiffStyle,
): Frame => ({
  path,
  depth,
  mark,
  before: label,
  after: `${after}${end}`,
  note: noteFor(path, style),
});

function noteFor(path: Path, { requiresReplace, drifted }: DiffStyle): string {
  const notes: string[] = [];
  if (requiresReplace.some((position) => pathEquals(position, path))) notes.push("forces replacement");
  if (path.length === 1 && drifted.some((position) => within(position, path)))
    notes.push("changed on the host");
  return notes.length === 0 ? "" : `# ${notes.join(", ")}`;
}
