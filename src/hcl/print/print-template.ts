/**
 * @module Templates → text. A heredoc stays one where that gives the same value, and becomes quoted text elsewhere.
 */
import { SourceFile } from "../../diagnostics/source.ts";
import { parseExpression } from "../parse/parse.ts";
import { sameParts } from "../same-tree.ts";
import { isWhiteSpace } from "../scan/characters.ts";
import type { Expression, Strip, Template, TemplatePart } from "../tree.ts";
import { enclose, type Fragment, joined } from "./print-fragment.ts";
import { escapeQuoted } from "./quote.ts";

type PrintExpression = (expression: Expression) => Fragment;

/** A template without its nesting. */
type Piece =
  | { readonly kind: "text"; readonly value: string }
  | {
      readonly kind: "sequence";
      readonly sign: "$" | "%";
      readonly content: Fragment;
      readonly strip: Strip;
    };

export function printTemplate(template: Template, print: PrintExpression): Fragment {
  const pieces = flatten(template.parts, print);
  return (template.heredoc && printHeredoc(template, template.heredoc, pieces)) ?? printQuoted(pieces);
}

function flatten(parts: readonly TemplatePart[], print: PrintExpression): Piece[] {
  return parts.flatMap((part) => flattenPart(part, print));
}

function flattenPart(part: TemplatePart, print: PrintExpression): Piece[] {
  switch (part.kind) {
    case "literal":
      return [{ kind: "text", value: part.value }];
    case "interpolation":
      return [{ kind: "sequence", sign: "$", content: print(part.expression), strip: part.strip }];
    case "if":
      return [
        directive(part.strips.if, "if ", print(part.condition)),
        ...flatten(part.then, print),
        ...(part.otherwise === undefined ? [] : [directive(part.strips.else ?? noStrip, "else")]),
        ...flatten(part.otherwise ?? [], print),
        directive(part.strips.endif, "endif"),
      ];
    case "for": {
      const names = part.keyName === undefined ? part.valueName : `${part.keyName}, ${part.valueName}`;
      return [
        directive(part.strips.for, `for ${names} in `, print(part.collection)),
        ...flatten(part.body, print),
        directive(part.strips.endfor, "endfor"),
      ];
    }
  }
}

const directive = (strip: Strip, ...content: (Fragment | string)[]): Piece => ({
  kind: "sequence",
  sign: "%",
  content: joined(content),
  strip,
});

const noStrip: Strip = { left: false, right: false };

/**
 * The values of literals are what markers left of them. So a marker is only written next to text that it cannot
 * strip again, and text that it stripped whole is written as one blank.
 */
function printQuoted(pieces: readonly Piece[]): Fragment {
  const printed = pieces.map((piece, at) => {
    const [before, after] = [pieces[at - 1], pieces[at + 1]];
    if (piece.kind === "text") return piece.value === "" ? " " : escapeBefore(piece.value, after);
    const left = piece.strip.left && !(before?.kind === "text" && endsBlank(before.value));
    const right = piece.strip.right && !(after?.kind === "text" && startsBlank(after.value));
    return printSequence(piece.sign, piece.content, { left, right });
  });
  return enclose('"', printed, '"');
}

/** A `$` directly before `${` would escape it. */
function escapeBefore(value: string, after: Piece | undefined): string {
  const text = escapeQuoted(value);
  if (after?.kind !== "sequence" || !value.endsWith(after.sign)) return text;
  return `${text.slice(0, -1)}${after.sign === "$" ? "\\u0024" : "\\u0025"}`;
}

const startsBlank = (text: string): boolean => text !== "" && isWhiteSpace(text.charCodeAt(0));
const endsBlank = (text: string): boolean => text !== "" && isWhiteSpace(text.charCodeAt(text.length - 1));

const printSequence = (sign: string, content: Fragment, { left, right }: Strip): Fragment =>
  enclose(`${sign}{${left ? "~ " : ""}`, [content], `${right ? " ~" : ""}}`);

/** The heredoc, or undefined when its text would mean something else than the parts do. */
function printHeredoc(
  template: Template,
  { marker, indented }: NonNullable<Template["heredoc"]>,
  pieces: readonly Piece[],
): Fragment | undefined {
  const content = pieces.map((piece, at) => {
    if (piece.kind === "sequence") return printSequence(piece.sign, piece.content, piece.strip).text;
    return heredocText(piece.value, pieces[at - 1], pieces[at + 1]);
  });
  const last = pieces[pieces.length - 1];
  const lineEnd = last?.kind === "sequence" && last.strip.right ? "\n" : "";
  const text = `<<${indented ? "-" : ""}${marker}\n${content.join("")}${lineEnd}${marker}`;
  const { expression, diagnostics } = parseExpression(new SourceFile("", `${text}\n`));
  if (diagnostics.length > 0 || expression.kind !== "template") return undefined;
  if (!sameParts(expression.parts, template.parts)) return undefined;
  return { text, endsInHeredoc: true, broken: false };
}

/**
 * A marker strips what stands on its line only, so text that must stay is put on the next one, and a blank for it to
 * strip keeps a `$` from escaping it.
 */
function heredocText(value: string, before: Piece | undefined, after: Piece | undefined): string {
  const text = value.replace(/[$%](?=\{)/g, "$&$&");
  const strippedLeft = before?.kind === "sequence" && before.strip.right;
  const strippedRight = after?.kind === "sequence" && after.strip.left;
  if (value === "") return after === undefined ? "\n" : " ";
  const blank = strippedRight && (endsBlank(value) || value.endsWith(after.sign)) ? " " : "";
  return `${strippedLeft && startsBlank(value) ? "\n" : ""}${text}${blank}`;
}
