/**
 * @module The tree of a template's directives, from the flat list of its pieces.
 */

import type { SourceRange } from "../../diagnostics/source.ts";
import type {
  Expression,
  Strip,
  TemplateFor,
  TemplateIf,
  TemplateInterpolation,
  TemplateLiteral,
  TemplatePart,
} from "../tree.ts";
import { checkDepth, fail, lineOf, type Parser } from "./parser.ts";

/** What a template consists of before its directives are nested. */
export type Piece = TemplateLiteral | TemplateInterpolation | Directive;

/** The beginning, middle or end of a directive. */
export type Directive = SourceRange & { readonly strip: Strip } & (
    | { readonly kind: "if"; readonly condition: Expression }
    | {
        readonly kind: "for";
        readonly keyName: string | undefined;
        readonly valueName: string;
        readonly collection: Expression;
      }
    | { readonly kind: "else" | "endif" | "endfor" }
  );

type Opening = Directive & { kind: "if" | "for" };

/** A directive that waits for its end. */
interface Open {
  readonly opening: Opening;
  /** Parts of the branch being read. */
  parts: TemplatePart[];
  then: TemplatePart[] | undefined;
  elseStrip: Strip | undefined;
}

/** Nests the pieces. Reports directives that do not belong together, and then gives what it has. */
export function buildTemplate(p: Parser, pieces: readonly Piece[], opener: number): TemplatePart[] {
  const root: TemplatePart[] = [];
  const open: Open[] = [];
  const parts = (): TemplatePart[] => open[open.length - 1]?.parts ?? root;
  for (const piece of pieces) {
    const { start, end } = piece;
    switch (piece.kind) {
      case "literal":
      case "interpolation":
        parts().push(piece);
        break;
      case "if":
      case "for":
        open.push({ opening: piece as Opening, parts: [], then: undefined, elseStrip: undefined });
        if (!checkDepth(p, open.length, start, end)) return root;
        break;
      case "else":
        if (!startElse(p, piece, open[open.length - 1])) return root;
        break;
      case "endif":
      case "endfor": {
        const directive = open.pop();
        const wanted = piece.kind === "endif" ? "if" : "for";
        if (directive?.opening.kind !== wanted) {
          failAtEnd(p, piece, directive);
          return root;
        }
        parts().push(closeDirective(p, directive, piece));
      }
    }
  }
  const unclosed = open.pop();
  if (unclosed !== undefined) failUnclosed(p, unclosed, opener);
  return root;
}

function startElse(p: Parser, piece: Directive, open: Open | undefined): boolean {
  if (open?.opening.kind === "if" && open.then === undefined) {
    open.then = open.parts;
    open.parts = [];
    open.elseStrip = piece.strip;
    return true;
  }
  const detail =
    open === undefined
      ? 'There is no "%{ if … }" before this.'
      : open.opening.kind === "for"
        ? `The directive that is open here is the for on ${lineOf(p, open.opening.start)}, which has no else.`
        : `The if on ${lineOf(p, open.opening.start)} has its else already.`;
  fail(
    p,
    "Unexpected else directive",
    `${detail} Delete it, or add the directives that are missing.`,
    piece.start,
    piece.end,
  );
  return false;
}

function closeDirective(p: Parser, { opening, ...open }: Open, end: Directive): TemplateIf | TemplateFor {
  const range = { file: p.file, start: opening.start, end: end.end };
  if (opening.kind === "for") {
    const { keyName, valueName, collection, strip } = opening;
    const strips = { for: strip, endfor: end.strip };
    return { kind: "for", keyName, valueName, collection, body: open.parts, strips, ...range };
  }
  const otherwise = open.then === undefined ? undefined : open.parts;
  const strips = {
    if: opening.strip,
    ...(open.elseStrip === undefined ? {} : { else: open.elseStrip }),
    endif: end.strip,
  };
  return {
    kind: "if",
    condition: opening.condition,
    then: open.then ?? open.parts,
    otherwise,
    strips,
    ...range,
  };
}

function failAtEnd(p: Parser, piece: Directive, open: Open | undefined): void {
  const detail =
    open === undefined
      ? "No directive is open here that it could end."
      : `The directive that is open here is the ${open.opening.kind} on ${lineOf(p, open.opening.start)}, which ends with "%{ end${open.opening.kind} }".`;
  fail(p, `Unexpected ${piece.kind} directive`, detail, piece.start, piece.end);
}

function failUnclosed(p: Parser, { opening }: Open, opener: number): void {
  const what = opener === -1 ? "template" : "text it stands in";
  fail(
    p,
    `Unclosed ${opening.kind} directive`,
    `The ${opening.kind} directive on ${lineOf(p, opening.start)} needs a "%{ end${opening.kind} }" before the ${what} ends.`,
    opening.start,
    opening.end,
  );
}
