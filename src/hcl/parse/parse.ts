/**
 * @module Text in HCL's native syntax → syntax tree.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../../diagnostics/source.ts";
import { Kind } from "../scan/tokens.ts";
import type { Body, Expression, TemplatePart } from "../tree.ts";
import { parseRootBody } from "./body.ts";
import { parseExpression as expression } from "./expression.ts";
import { createParser, failHere, type Parser, peek } from "./parser.ts";
import { parseParts } from "./template.ts";

/** A comment as written: with its `#`, `//` or `/*`, without the line end. */
export interface Comment extends SourceRange {
  readonly text: string;
}

/**
 * Parses a configuration file. With errors the body holds what could be understood: nothing should act on it.
 *
 * @returns diagnostics in the order of the file; all comments outside templates' text, in the order of the file
 */
export function parseFile(file: SourceFile): {
  readonly body: Body;
  /** Whether after errors nobody knows what belongs to which block. */
  readonly unclear: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly comments: readonly Comment[];
} {
  const p = createParser(file, "configuration");
  const body = parseRootBody(p);
  return { body, unclear: p.stopped || hasUnmatched(p), diagnostics: sorted(p), comments: commentsOf(p) };
}

/** Parses a lone expression, in which line ends count as little as in parentheses. */
export function parseExpression(file: SourceFile): {
  readonly expression: Expression;
  readonly diagnostics: readonly Diagnostic[];
} {
  const p = createParser(file, "configuration");
  p.newlines = false;
  const parsed = expression(p);
  if (!p.failed && peek(p) !== Kind.EndOfFile) {
    failHere(p, "Text after the expression", "The expression is complete here. Delete what follows.");
  }
  return { expression: parsed, diagnostics: sorted(p) };
}

/** Parses a template file: text that is a template from its first character on. */
export function parseTemplate(file: SourceFile): {
  readonly parts: readonly TemplatePart[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const p = createParser(file, "template");
  const parts = parseParts(p, Kind.EndOfFile, -1, false, expression);
  return { parts, diagnostics: sorted(p) };
}

/** Whether there is a brace, a heredoc or a comment without its other end: what is open in a line ends with its item. */
function hasUnmatched({ partners, tokens: { kinds, count } }: Parser): boolean {
  for (let at = 0; at < count; at++) {
    const kind = kinds[at]!;
    if (kind === Kind.UnclosedComment || (spansItems[kind] === 1 && partners[at] === -1)) return true;
  }
  return false;
}

const spansItems = new Uint8Array(64);
for (const kind of [Kind.OpenBrace, Kind.CloseBrace, Kind.OpenHeredoc]) spansItems[kind] = 1;

const sorted = (p: Parser): readonly Diagnostic[] =>
  p.diagnostics.sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0));

function commentsOf({ file, text, tokens: { kinds, starts, ends, count } }: Parser): Comment[] {
  const comments: Comment[] = [];
  for (let at = 0; at < count; at++) {
    const kind = kinds[at];
    if (kind !== Kind.Comment && kind !== Kind.LineComment) continue;
    const start = starts[at]!;
    const written = text.slice(start, ends[at]);
    const comment = kind === Kind.LineComment ? written.replace(/\r?\n$/, "") : written;
    comments.push({ text: comment, file, start, end: start + comment.length });
  }
  return comments;
}
