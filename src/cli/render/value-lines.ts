/**
 * @module A value as OpenTofu's plan shows it: HCL over as many lines as it takes, nothing sensitive.
 */

import { BigFloat } from "../../values/big-float.ts";
import { isIdentifier } from "../../values/identifier.ts";
import type { Path, PathStep } from "../../values/path.ts";
import { isMarked, isNull, isUnknown, type Value } from "../../values/value.ts";
import { isElements, isEntries } from "../../values/walk.ts";
import { type Line, type LineMark, line } from "./line.ts";

export const knownAfterApply = "(known after apply)";
export const sensitiveText = "(sensitive value)";

/** How leaves and keys are spelled: an entry for several hosts does not show what differs between them. */
export interface Spelling {
  /** Text of a value that fits on one line; undefined for one that does not. */
  readonly leaf: (value: Value, path: Path) => string | undefined;
  readonly key: (key: string) => string;
}

/** What stands around a value on its first and last line: `name = `, ` -> null`, `,`. */
export interface Frame {
  readonly path: Path;
  readonly depth: number;
  readonly mark: LineMark;
  readonly before: string;
  readonly after: string;
  readonly note?: string | undefined;
}

export const isHidden = (value: Value): boolean =>
  isMarked(value, "sensitive") || isMarked(value, "ephemeral");

/** Whether a text is shown as a heredoc. */
export const isMultiLine = (text: string): boolean => text.includes("\n");

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** Whether showing it as text makes no sense. */
export const isBinary = (text: string): boolean => binary.test(text);

const binaryText = (text: string): string => `(binary, ${byteText(Buffer.byteLength(text))})`;

function byteText(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const [size, unit] =
    bytes < 1e6 ? [bytes / 1e3, "kB"] : bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${size.toFixed(1)} ${unit}`;
}

/** A value that fits on one line; undefined for collections with elements and texts of several lines. */
export function oneLine(value: Value): string | undefined {
  if (isHidden(value)) return isMarked(value, "sensitive") ? sensitiveText : "(ephemeral value)";
  if (isUnknown(value)) return knownAfterApply;
  const { data } = value;
  if (data === null) return "null";
  if (typeof data === "string") return stringText(data);
  if (typeof data === "boolean" || data instanceof BigFloat) return data.toString();
  if (isElements(data)) return data.length === 0 ? "[]" : undefined;
  return isEntries(data) && data.size === 0 ? "{}" : undefined;
}

function stringText(text: string): string | undefined {
  if (isBinary(text)) return binaryText(text);
  return isMultiLine(text) ? undefined : JSON.stringify(text);
}

export const plainSpelling: Spelling = { leaf: oneLine, key: String };

/** The whole value, every line with the frame's mark. */
export function valueLines(value: Value, frame: Frame, spelling: Spelling): Line[] {
  const { depth, mark, before, after, note, path } = frame;
  const short = spelling.leaf(value, path);
  if (short !== undefined) return [line(depth, mark, `${before}${short}${after}`, note)];
  const { data } = value;
  if (typeof data === "string") {
    const text = heredocLines(data, depth + 1);
    return [line(depth, mark, `${before}<<-EOT`, note), ...text, line(depth, " ", `EOT${after}`)];
  }
  const [open, close] = isElements(data) ? ["[", "]"] : ["{", "}"];
  const inner = isElements(data) ? elementLines(data, frame, spelling) : entryLines(value, frame, spelling);
  return [line(depth, mark, `${before}${open}`, note), ...inner, line(depth, " ", `${close}${after}`)];
}

/** Lines of a text between the heredoc's markers; says so, in the words of `diff`, when the last one does not end. */
function heredocLines(text: string, depth: number): Line[] {
  const ended = text.endsWith("\n");
  const lines = (ended ? text.slice(0, -1) : text).split("\n").map((content) => line(depth, " ", content));
  return ended ? lines : [...lines, line(depth, " ", "\\ No newline at end of file")];
}

function elementLines(elements: readonly Value[], { path, depth, mark }: Frame, spelling: Spelling): Line[] {
  return elements.flatMap((element, index) =>
    valueLines(
      element,
      { path: [...path, { index }], depth: depth + 1, mark, before: "", after: "," },
      spelling,
    ),
  );
}

function entryLines(value: Value, { path, depth, mark }: Frame, spelling: Spelling): Line[] {
  const entries = entriesOf(value);
  // An attribute that is null is one that is not set; a map's null is an entry.
  const names = [...entries.keys()].filter((name) => isMap(value) || !isNull(entries.get(name)!)).sort();
  const label = labels(names, isMap(value), spelling);
  return names.flatMap((name) =>
    valueLines(
      entries.get(name)!,
      { path: [...path, stepTo(value, name)], depth: depth + 1, mark, before: label(name), after: "" },
      spelling,
    ),
  );
}

export const entriesOf = ({ data }: Value): ReadonlyMap<string, Value> =>
  isEntries(data) ? data : new Map();

export const isMap = ({ type }: Value): boolean => type.kind === "map";

/** The step from a map or object to what is under a name. */
export const stepTo = (value: Value, name: string): PathStep =>
  isMap(value) ? { key: name } : { attribute: name };

/** `name = ` with the names of a block padded to one width; a map's keys are quoted. */
export function labels(
  names: readonly string[],
  quoted: boolean,
  { key }: Spelling,
): (name: string) => string {
  const spell = (name: string): string => {
    const text = key(name);
    return quoted || !isIdentifier(text) ? JSON.stringify(text) : text;
  };
  const width = Math.max(0, ...names.map((name) => spell(name).length));
  return (name) => `${spell(name).padEnd(width)} = `;
}
