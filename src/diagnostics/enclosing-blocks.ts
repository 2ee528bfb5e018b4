/**
 * @module The blocks around a location in a configuration file, for "in circuit "web", step "config"".
 *
 * They are found by scanning the text, not by parsing: diagnostics about files that do not parse show them, too.
 */
import { identifierPattern } from "../values/identifier.ts";
import type { SourceFile } from "./source.ts";

interface OpenBlock {
  /** `step "config"`; undefined for the braces of an object. */
  readonly header: string | undefined;
  readonly start: number;
}

/** From its header to its closing brace. */
interface FoundBlock {
  readonly header: string;
  readonly start: number;
  readonly end: number;
}

/** What matters in code: comments, heredoc starts, quotes, braces, line ends. */
const tokenInCode = new RegExp(
  String.raw`#[^\n]*|//[^\n]*|/\*[\s\S]*?(?:\*/|$)|<<-?(?<heredoc>${identifierPattern})\r?\n|["{}\n]`,
  "gu",
);
/** What matters in a quoted template: escapes are skipped; `${` and `%{` lead back into code. */
const tokenInQuotes = /\\.|\$\$\{|%%\{|[$%]\{|["\n]/gsu;
const blockHeader = new RegExp(
  String.raw`^${identifierPattern}(?:\s+(?:"(?:[^"\\]|\\.)*"|${identifierPattern}))*$`,
  "u",
);

/**
 * Headers of the blocks around `offset`, outermost first: `circuit "web"`, `step "config"`, `file`. A block reaches
 * from its header to its closing brace.
 */
export const enclosingBlocks = (file: SourceFile, offset: number): string[] =>
  blocksOf(file)
    .filter(({ start, end }) => start <= offset && offset < end)
    .map(({ header }) => header);

/** The blocks of files that were scanned: a file with many diagnostics is scanned once. */
const known = new WeakMap<SourceFile, readonly FoundBlock[]>();

function blocksOf(file: SourceFile): readonly FoundBlock[] {
  const found = known.get(file) ?? findBlocks(file.text);
  known.set(file, found);
  return found;
}

/** Blocks in the order of their starts. One that is not closed extends beyond the end of the file. */
function findBlocks(text: string): readonly FoundBlock[] {
  const found: FoundBlock[] = [];
  const open: (OpenBlock | "quotes")[] = [];
  const close = (block: OpenBlock | "quotes" | undefined, end: number): void => {
    if (block === undefined || block === "quotes" || block.header === undefined) return;
    found.push({ header: block.header, start: block.start, end });
  };
  let statement = 0;
  let at = 0;
  while (at < text.length) {
    const quoted = open.at(-1) === "quotes";
    const token = next(quoted ? tokenInQuotes : tokenInCode, text, at);
    if (token === undefined) break;
    at = token.index + token[0].length;
    if (token.groups?.heredoc !== undefined) at = endOfHeredoc(text, at, token.groups.heredoc);
    else if (token[0] === '"') quoted ? open.pop() : open.push("quotes");
    else if (quoted) {
      // A quoted template ends with its line: one that does not is a syntax error, and must not swallow the file.
      if (token[0] === "\n") open.pop();
      else if (token[0] === "${" || token[0] === "%{") open.push({ header: undefined, start: token.index });
    } else if (token[0] === "{") {
      open.push({ header: headerOf(text.slice(statement, token.index)), start: startOf(text, statement) });
    } else if (token[0] === "}") close(open.pop(), at);
    if (!quoted && /^[{}\n]$/.test(token[0])) statement = at;
  }
  for (const block of open) close(block, Number.POSITIVE_INFINITY);
  return found.sort((a, b) => a.start - b.start);
}

function next(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}

function endOfHeredoc(text: string, from: number, marker: string): number {
  const end = new RegExp(`^[ \\t]*${marker}[ \\t]*\\r?$`, "gmu");
  end.lastIndex = from;
  return end.exec(text) === null ? text.length : end.lastIndex;
}

function headerOf(text: string): string | undefined {
  const header = text.trim();
  return blockHeader.test(header) ? header.replace(/\s+/g, " ") : undefined;
}

const startOf = (text: string, statement: number): number =>
  statement + (text.slice(statement).length - text.slice(statement).trimStart().length);
