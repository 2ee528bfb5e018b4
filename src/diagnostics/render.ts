/**
 * @module Diagnostics for people: in OpenTofu's form, with the location in the source underlined.
 */
import type { Colors } from "picocolors/types";
import { formatPath } from "../values/path.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { enclosingBlocks } from "./enclosing-blocks.ts";
import { snippetLines } from "./snippet.ts";
import type { SourceFile, SourceRange } from "./source.ts";
import { shortWords, visible, visibleLine, wrap } from "./visible.ts";
import { withoutConcealed } from "./without-concealed.ts";

export interface RenderOptions {
  readonly colors: Colors;
  /** Columns of the terminal. */
  readonly width: number;
}

/**
 * With colours, lines stand in OpenTofu's box (`╷ │ ╵`); without, they are plain.
 *
 * @returns whole lines, with an empty one before and a line end after
 */
export function renderDiagnostic(whole: Diagnostic, options: RenderOptions): string {
  const diagnostic = withoutConcealed(whole);
  const { colors } = options;
  const boxed = colors.isColorSupported;
  const tint = diagnostic.severity === "error" ? colors.red : colors.yellow;
  const word = diagnostic.severity === "error" ? "Error" : "Warning";
  const lines = [
    `${colors.bold(tint(`${word}: `))}${colors.bold(nameLine(diagnostic.summary))}`,
    ...section(placeLines(diagnostic, { colors, width: options.width - (boxed ? 2 : 0) })),
    ...section(wrap(shortWords(visible(diagnostic.detail), longestValue), options.width - (boxed ? 2 : 0))),
  ];
  if (!boxed) return `\n${lines.join("\n")}\n`;
  const framed = lines.map((line) => `${tint("│")} ${line}`);
  return `${tint("╷")}\n${framed.join("\n")}\n${tint("╵")}\n`;
}

/** Longest name or address that is shown whole; a longer one loses its middle. JSON always has all of it. */
const longestName = 200;

/** Longest word that is shown whole in a detail. Public keys have up to about 1,500 characters. */
const longestValue = 2000;

const nameLine = (text: string): string => shortWords(visibleLine(text), longestName);

/** The lines after an empty one, if there are any. */
const section = (lines: readonly string[]): string[] => (lines.join("") === "" ? [] : ["", ...lines]);

function placeLines(diagnostic: Diagnostic, options: RenderOptions): string[] {
  const instance = instanceText(diagnostic);
  if (diagnostic.range === undefined) return instance === undefined ? [] : [`  ${instance}`];
  const source = `  ${rangeText(diagnostic.range)}:`;
  const snippet = snippetLines(diagnostic.range, options.colors, options.width - 1).map((line) => ` ${line}`);
  return [...(instance === undefined ? [] : [`  ${instance},`]), source, ...snippet];
}

/** `with conn3x_file.web__config["web1"].mode (step config), on host web1` */
function instanceText({ address, attribute, host }: Diagnostic): string | undefined {
  const parts: string[] = [];
  if (address !== undefined) {
    const inside = attribute === undefined || attribute.length === 0 ? "" : `.${formatPath(attribute)}`;
    const member = memberText(address);
    parts.push(`with ${address}${inside}${member === undefined ? "" : ` (${member})`}`);
  } else if (attribute !== undefined && attribute.length > 0) {
    parts.push(`in ${formatPath(attribute)}`);
  }
  if (host !== undefined) parts.push(`on host ${host}`);
  return parts.length === 0 ? undefined : nameLine(parts.join(", "));
}

/** The step or handler that a compiled name stands for: `CIRCUIT__NAME`; action types are handlers. */
function memberText(address: string): string | undefined {
  const name = /^(?<type>conn3x_[a-z0-9_]+)\.[^.[]+?__(?<member>[^.[]+)/.exec(address)?.groups;
  if (name === undefined) return undefined;
  return `${name.type?.endsWith("_action") ? "handler" : "step"} ${name.member}`;
}

/** `on main.circuit.hcl line 3, in circuit "web", step "config"` */
function rangeText({ file, start }: SourceRange): string {
  const context = contextOf(file, start);
  return `on ${visibleLine(file.name)} line ${file.lineOf(start)}${context === undefined ? "" : `, in ${nameLine(context)}`}`;
}

/** The outermost block, and the blocks inside it that have labels. */
export function contextOf(file: SourceFile, offset: number): string | undefined {
  // A file with values has no blocks: what looks like one may be a value without its equals sign.
  if (file.holdsValues) return undefined;
  const blocks = enclosingBlocks(file, offset).filter((header, i) => i === 0 || header.includes(" "));
  return blocks.length === 0 ? undefined : blocks.join(", ");
}
