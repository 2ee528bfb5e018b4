/**
 * @module Canonical white space: indentation, blanks between tokens, alignment of `=` and of comments.
 *
 * Works on lines of tokens, not on the tree, as `tofu fmt` does: the same input must give the same output.
 */
import { countCharacters } from "../../diagnostics/characters.ts";
import { Kind } from "../scan/tokens.ts";
import { isSpaced } from "./format-spacing.ts";
import { bracketChange, endsLine, type FormatToken } from "./format-tokens.ts";

/**
 * A line as up to three cells whose beginnings are aligned with those of the lines around it. A heredoc or a
 * comment over several lines is part of one.
 */
interface Line {
  /** Everything before the other two. */
  readonly lead: readonly FormatToken[];
  /** `=` and what is assigned; empty when that goes on over the following lines. */
  readonly assign: readonly FormatToken[];
  readonly comment: FormatToken | undefined;
}

/** Sets the blanks before each token. */
export function layOut(tokens: readonly FormatToken[]): void {
  const lines = splitLines(tokens);
  indent(lines);
  for (const line of lines) space(line);
  align(
    lines,
    (line) => line.assign[0],
    (line) => columns(line.lead),
  );
  align(
    lines,
    (line) => line.comment,
    (line) => columns(line.lead) + columns(line.assign),
  );
}

function splitLines(tokens: readonly FormatToken[]): Line[] {
  const lines: Line[] = [];
  let start = 0;
  tokens.forEach((token, at) => {
    if (endsLine(token) || token.kind === Kind.EndOfFile) {
      lines.push(splitCells(tokens.slice(start, token.kind === Kind.EndOfFile ? at : at + 1)));
      start = at + 1;
    }
  });
  return lines;
}

function splitCells(tokens: readonly FormatToken[]): Line {
  const last = tokens[tokens.length - 1];
  const isComment = last?.kind === Kind.LineComment || last?.kind === Kind.Comment;
  const comment = isComment && tokens.length > 1 ? last : undefined;
  const rest = comment === undefined ? tokens : tokens.slice(0, -1);
  const assign = rest.findIndex((token, at) => at > 0 && token.kind === Kind.Assign);
  if (assign === -1 || openBrackets(rest.slice(assign)) !== 0) return { lead: rest, assign: [], comment };
  return { lead: rest.slice(0, assign), assign: rest.slice(assign), comment };
}

const openBrackets = (tokens: readonly FormatToken[]): number =>
  tokens.reduce((sum, token) => sum + bracketChange(token), 0);

/**
 * A line that opens more brackets than it closes indents the following ones by one step, however many it opens;
 * closing all of these ends the step.
 */
function indent(lines: readonly Line[]): void {
  const steps: number[] = [];
  for (const { lead, assign } of lines) {
    const first = lead[0];
    if (first === undefined) continue;
    if (first.kind === Kind.Newline) {
      first.spaces = 0;
      continue;
    }
    const heredoc = lead.findIndex((token) => token.kind === Kind.OpenHeredoc);
    const change = openBrackets(heredoc === -1 ? lead : lead.slice(0, heredoc)) + openBrackets(assign);
    for (let closed = -change; closed > 0 && steps.length > 0; ) {
      const step = steps.pop()!;
      if (closed < step) steps.push(step - closed);
      closed -= step;
    }
    first.spaces = 2 * steps.length;
    if (change > 0) steps.push(change);
  }
}

function space({ lead, assign }: Line): void {
  for (const cell of [lead, assign]) {
    for (let at = 0; at + 1 < cell.length; at++) {
      cell[at + 1]!.spaces = isSpaced(cell[at - 1], cell[at]!, cell[at + 1]!) ? 1 : 0;
    }
  }
  if (assign[0] !== undefined) assign[0].spaces = 1;
}

/** Moves the cells of neighbouring lines that have one to the column after the widest of what precedes them. */
function align(
  lines: readonly Line[],
  cell: (line: Line) => FormatToken | undefined,
  width: (line: Line) => number,
): void {
  let group: { readonly token: FormatToken; readonly width: number }[] = [];
  const close = (): void => {
    const widest = group.reduce((most, member) => Math.max(most, member.width), 0);
    for (const member of group) member.token.spaces = widest - member.width + 1;
    group = [];
  };
  for (const line of lines) {
    const token = cell(line);
    if (token === undefined) close();
    else group.push({ token, width: width(line) });
  }
  close();
}

const columns = (tokens: readonly FormatToken[]): number =>
  tokens.reduce((sum, token) => sum + token.spaces + widthOf(token.text), 0);

const isSimple = /^[\x20-\x7e]*$/;

const widthOf = (text: string): number => (isSimple.test(text) ? text.length : countCharacters(text));
