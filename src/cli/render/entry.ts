/**
 * @module What a plan shows of one instance, or of several hosts' instances with equal changes: a comment with the
 * reason, then the block with its differences.
 */
import type { PlannedChange } from "../../engine/index.ts";
import type { Action, Decision } from "../../revision/decision.ts";
import type { Path } from "../../values/path.ts";
import type { Value } from "../../values/value.ts";
import { isNull } from "../../values/value.ts";
import { hiddenLine, type Line, type LineMark, line } from "./line.ts";
import { type DiffStyle, differs, diffLines, entryDiffLines } from "./value-diff.ts";
import { entriesOf, labels, type Spelling, valueLines } from "./value-lines.ts";

/** Shown though they do not change, since they say what the block is about. */
const names: ReadonlySet<string> = new Set(["path", "name"]);

export const markOf = ({ action, createFirst }: Pick<Decision, "action" | "createFirst">): LineMark =>
  createFirst === true ? "+/-" : marks[action];

const marks: Record<Action, LineMark> = { none: " ", create: "+", update: "~", replace: "-/+", delete: "-" };

/** The block: `~ resource "conn3x_file" "web__config" {` … `}`. */
export function blockLines(change: PlannedChange, spelling: Spelling): Line[] {
  const { decision, before, after } = change;
  const style: DiffStyle = {
    ...spelling,
    requiresReplace: decision.requiresReplace,
    // Where all of the change is drift, the comment says so once.
    drifted: decision.edits.length === 0 ? [] : decision.drift.map(({ path }) => path),
  };
  // What only has another address is as it is known to be.
  if (decision.action === "none" && change.importing === undefined) return [];
  const inner =
    isNull(before) || isNull(after) || decision.action === "none"
      ? wholeLines(change, style)
      : changedLines(before, after, style);
  return [
    line(0, markOf(decision), `resource "${change.type}" "${change.name}" {`),
    ...inner,
    line(0, " ", "}"),
  ];
}

/**
 * Every attribute of an object that is made, is taken over or goes, and is set. The `ssh` block is left out: it says how the host is
 * reached, not what is made there, and is the same for all of a circuit's steps.
 */
function wholeLines({ before, after, decision }: PlannedChange, style: DiffStyle): Line[] {
  const [object, mark] =
    decision.action === "none"
      ? ([after, " "] as const)
      : isNull(before)
        ? ([after, "+"] as const)
        : ([before, "-"] as const);
  return objectLines(object, mark, style, (name) => name !== "ssh");
}

/** The attributes of an object that are set, then its blocks. */
export function objectLines(
  object: Value,
  mark: "+" | "-" | " ",
  spelling: Spelling,
  shown: (name: string) => boolean = () => true,
): Line[] {
  const set = [...entriesOf(object)].filter(([name, value]) => !isNull(value) && shown(name)).sort(byName);
  const attributes = set.filter(([, value]) => !isBlock(value));
  const label = labels(
    attributes.map(([name]) => name),
    false,
    spelling,
  );
  const after = mark === "-" ? " -> null" : "";
  const linesOf = (name: string, value: Value, before: string): Line[] =>
    valueLines(value, { path: [{ attribute: name }], depth: 1, mark, before, after }, spelling);
  return [
    ...attributes.flatMap(([name, value]) => linesOf(name, value, label(name))),
    ...set
      .filter(([, value]) => isBlock(value))
      .flatMap(([name, value]) => [line(1, " ", ""), ...linesOf(name, value, `${name} `)]),
  ];
}

function changedLines(before: Value, after: Value, style: DiffStyle): Line[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const all = [...new Set([...old.keys(), ...now.keys()])].sort();
  const present = all.filter((name) => !isUnset(old.get(name)) || !isUnset(now.get(name)));
  const blocks = present.filter((name) => isBlock(now.get(name) ?? old.get(name)!));
  const attributes = present.filter((name) => !blocks.includes(name));
  const shown = attributes.filter((name) => names.has(name) || differs(old.get(name), now.get(name)));
  const label = labels(shown, false, style);
  const hidden = attributes.length - shown.length;
  return [
    ...shown.flatMap((name) => attributeLines(old.get(name), now.get(name), name, label(name), style)),
    ...(hidden === 0 ? [] : [hiddenLine(1, hidden, "attribute")]),
    ...blockDiffs(old, now, blocks, style),
  ];
}

function attributeLines(
  old: Value | undefined,
  now: Value | undefined,
  name: string,
  label: string,
  style: DiffStyle,
): Line[] {
  const path: Path = [{ attribute: name }];
  if (differs(old, now)) return diffLines(old, now, { path, depth: 1, label, end: "" }, style);
  return valueLines(now!, { path, depth: 1, mark: " ", before: label, after: "" }, style);
}

function blockDiffs(
  old: ReadonlyMap<string, Value>,
  now: ReadonlyMap<string, Value>,
  blocks: readonly string[],
  style: DiffStyle,
): Line[] {
  const changed = blocks.filter((name) => differs(old.get(name), now.get(name)));
  const hidden = blocks.length - changed.length;
  const lines = changed.flatMap((name) => [
    line(1, " ", ""),
    ...blockDiff(old.get(name), now.get(name), name, style),
  ]);
  return hidden === 0
    ? lines
    : [...lines, ...(lines.length === 0 ? [] : [line(1, " ", "")]), hiddenLine(1, hidden, "block")];
}

function blockDiff(old: Value | undefined, now: Value | undefined, name: string, style: DiffStyle): Line[] {
  const path: Path = [{ attribute: name }];
  if (isUnset(old) || isUnset(now))
    return diffLines(old, now, { path, depth: 1, label: `${name} `, end: "" }, style);
  return [line(1, "~", `${name} {`), ...entryDiffLines(old!, now!, path, 2, style), line(1, " ", "}")];
}

/** Schemas have no attributes of object type: an object is a nested block. */
const isBlock = ({ type }: Value): boolean => type.kind === "object";
const isUnset = (value: Value | undefined): boolean => value === undefined || isNull(value);
const byName = ([a]: readonly [string, Value], [b]: readonly [string, Value]): number =>
  a < b ? -1 : a > b ? 1 : 0;
