/**
 * @module Labels of blocks: quoted text without template sequences, or identifiers.
 */

import { Kind } from "../scan/tokens.ts";
import type { Label } from "../tree.ts";
import { decodeToken } from "./literal.ts";
import {
  accept,
  advance,
  fail,
  failHere,
  lineOf,
  type Parser,
  peek,
  tokenStart,
  tokenText,
} from "./parser.ts";

/** All labels that follow. */
export function parseLabels(p: Parser): Label[] {
  const labels: Label[] = [];
  for (let kind = peek(p); kind === Kind.Identifier || kind === Kind.OpenQuote; kind = peek(p)) {
    labels.push(kind === Kind.Identifier ? parseBareLabel(p) : parseQuotedLabel(p));
    if (p.failed) break;
  }
  return labels;
}

function parseBareLabel(p: Parser): Label {
  const start = tokenStart(p);
  const value = tokenText(p);
  advance(p);
  return { value, quoted: false, file: p.file, start, end: p.lastEnd };
}

function parseQuotedLabel(p: Parser): Label {
  const opener = p.at;
  const start = tokenStart(p);
  advance(p);
  let value = "";
  while (!accept(p, Kind.CloseQuote)) {
    const kind = peek(p);
    if (kind !== Kind.QuotedText) {
      failLabel(p, kind, start);
      const closer = p.partners[opener]!;
      if (closer === -1) break;
      p.failed = false;
      p.at = closer;
      continue;
    }
    value += decodeToken(p, kind);
    advance(p);
  }
  return { value, quoted: true, file: p.file, start, end: p.lastEnd };
}

function failLabel(p: Parser, kind: Kind, start: number): void {
  if (kind === Kind.OpenInterpolation || kind === Kind.OpenDirective) {
    const sign = tokenText(p).slice(0, 2);
    failHere(
      p,
      "Template in a label",
      `Labels are fixed text: nothing can be inserted with "${sign}". For the characters themselves write "${sign[0]}${sign}".`,
    );
  } else {
    fail(
      p,
      "Unclosed quotes",
      `The label that begins on ${lineOf(p, start)} has no closing quote ("). Add it where the label ends.`,
      start,
      start + 1,
    );
  }
}
