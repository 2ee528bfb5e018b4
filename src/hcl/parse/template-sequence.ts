/**
 * @module Template sequences: `${ expression }` and the directives `%{ … }`.
 */
import type { SourceRange } from "../../diagnostics/source.ts";
import { Kind } from "../scan/tokens.ts";
import type { TemplateInterpolation } from "../tree.ts";
import {
  accept,
  advance,
  fail,
  failHere,
  isKeyword,
  lineOf,
  type ParseExpression,
  type Parser,
  peek,
  placeholder,
  tokenStart,
  tokenText,
} from "./parser.ts";
import type { Directive } from "./template-tree.ts";

/**
 * The sequence that the next token opens, over its end. Undefined for a directive that does not exist.
 *
 * @param closer kind of the token that ends the template around it
 */
export function parseSequence(
  p: Parser,
  kind: Kind,
  closer: Kind,
  parseExpression: ParseExpression,
): TemplateInterpolation | Directive | undefined {
  const opener = p.at;
  const start = tokenStart(p);
  const left = tokenText(p).length === 3;
  advance(p);
  const newlines = p.newlines;
  p.newlines = false;
  p.height = 0;
  const isInterpolation = kind === Kind.OpenInterpolation;
  const expression = isInterpolation ? parseExpression(p) : undefined;
  const directive = isInterpolation ? undefined : parseDirective(p, parseExpression);
  const right = closeSequence(p, opener, closer);
  p.newlines = newlines;
  const { file, lastEnd: end } = p;
  const strip = { left, right };
  if (expression !== undefined) return { kind: "interpolation", expression, strip, file, start, end };
  return directive && { ...directive, strip, file, start, end };
}

/** Goes over the closing brace, and over what stands before it when something is wrong. Returns whether it has a `~`. */
function closeSequence(p: Parser, opener: number, templateCloser: Kind): boolean {
  const kind = p.failed ? undefined : peek(p);
  if (kind !== Kind.CloseSequence) {
    const partner = p.partners[opener]!;
    const start = p.tokens.starts[opener]!;
    const unclosed =
      partner === -1 ||
      kind === Kind.EndOfFile ||
      (kind === Kind.OpenQuote && templateCloser === Kind.CloseQuote);
    if (unclosed) {
      const sign = p.text.slice(start, start + 2);
      fail(
        p,
        "Unclosed template sequence",
        `The "${sign}" on ${lineOf(p, start)} has no "}". If it is meant as text, for example for a shell, write "${sign[0]}${sign}".`,
        start,
        p.tokens.ends[opener]!,
      );
      if (partner === -1) return false;
    } else {
      failHere(
        p,
        "Unexpected text in a template sequence",
        'The sequence must end with "}" here. If it is meant as text, for example for a shell, write "$${" instead of "${", or "%%{" instead of "%{".',
      );
    }
    p.failed = false;
    p.at = partner;
  }
  const strip = p.text[tokenStart(p)] === "~";
  advance(p);
  return strip;
}

/** A directive before its range and its strip markers are known. */
type Content = Directive extends infer D
  ? D extends Directive
    ? Omit<D, "strip" | keyof SourceRange>
    : never
  : never;

function parseDirective(p: Parser, parseExpression: ParseExpression): Content | undefined {
  const keyword = peek(p) === Kind.Identifier ? tokenText(p) : "";
  switch (keyword) {
    case "if":
      advance(p);
      return { kind: "if", condition: parseExpression(p) };
    case "for":
      advance(p);
      return parseFor(p, parseExpression);
    case "else":
    case "endif":
    case "endfor":
      advance(p);
      return { kind: keyword };
  }
  failHere(
    p,
    "Invalid template directive",
    'After "%{" there must be if, else, endif, for or endfor. If it is meant as text, write "%%{".',
  );
  return undefined;
}

function parseFor(p: Parser, parseExpression: ParseExpression): Content {
  const names = parseForNames(p, "a template's for directive");
  const collection = p.failed ? placeholder(p) : parseExpression(p);
  return { kind: "for", ...names, collection };
}

/** `k, v in`, common to directives and `for` expressions. */
export function parseForNames(
  p: Parser,
  what: string,
): { readonly keyName: string | undefined; readonly valueName: string } {
  const explanation = `It is written ${what.includes("directive") ? "%{ for NAME in COLLECTION }" : "for NAME in COLLECTION : …"}, with "KEY, NAME" for both key and value.`;
  const name = (): string => {
    if (peek(p) !== Kind.Identifier) {
      failHere(
        p,
        "Missing variable name",
        `${what[0]!.toUpperCase()}${what.slice(1)} needs a name here. ${explanation}`,
      );
      return "";
    }
    const text = tokenText(p);
    advance(p);
    return text;
  };
  const first = name();
  const second = !p.failed && accept(p, Kind.Comma) ? name() : undefined;
  if (!p.failed) {
    if (isKeyword(p, "in")) advance(p);
    else failHere(p, 'Missing "in"', `The word "in" must follow the names of ${what}. ${explanation}`);
  }
  return second === undefined
    ? { keyName: undefined, valueName: first }
    : { keyName: first, valueName: second };
}
