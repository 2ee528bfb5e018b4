/**
 * @module What an expression refers to, found without evaluating it.
 */
import type { SourceRange } from "../diagnostics/source.ts";
import { type BoundNames, eachPart, noNames } from "../hcl/parts.ts";
import type { Expression } from "../hcl/tree.ts";
import type { PathStep } from "../values/path.ts";

/** A name from outside of the expression, and the steps after it that are there to be read: `var.a["b"][0]`. */
export interface Reference {
  readonly root: string;
  /** The steps before the first that is neither a name nor a literal key: `a` for `module.a[each.key].b`. */
  readonly steps: readonly PathStep[];
  /** That step and those after it, undefined for each that cannot be read: `[undefined, b]` for `module.a[each.key].b`. */
  readonly beyond?: readonly (PathStep | undefined)[];
  /** Range of the name and `steps`. */
  readonly range: SourceRange;
}

/**
 * All references of an expression in the order of the text, those in keys of an index included, without the variables
 * of a `for`.
 */
export function references(expression: Expression): readonly Reference[] {
  const found: Reference[] = [];
  visit(expression, noNames, found);
  return found.sort((a, b) => a.range.start - b.range.start);
}

function visit(expression: Expression, bound: BoundNames, found: Reference[]): void {
  if (expression.kind === "variable" || expression.kind === "attributeAccess" || expression.kind === "index")
    visitTraversal(expression, bound, found);
  else eachPart(expression, bound, (part, inner) => visit(part, inner, found));
}

/** Goes down to the name that a traversal starts with, and keeps the steps that directly follow it. */
function visitTraversal(expression: Expression, bound: BoundNames, found: Reference[]): void {
  const steps: { readonly step: PathStep | undefined; readonly end: number }[] = [];
  let base = expression;
  while (base.kind === "attributeAccess" || base.kind === "index") {
    if (base.kind === "index") {
      visit(base.key, bound, found);
      steps.unshift({ step: literalKey(base.key), end: base.end });
      base = base.collection;
    } else {
      steps.unshift({ step: { attribute: base.name }, end: base.end });
      base = base.object;
    }
  }
  if (base.kind !== "variable") {
    visit(base, bound, found);
    return;
  }
  if (bound.has(base.name)) return;
  const open = steps.findIndex(({ step }) => step === undefined);
  const known = open === -1 ? steps : steps.slice(0, open);
  found.push({
    root: base.name,
    steps: known.map(({ step }) => step!),
    ...(open === -1 ? {} : { beyond: steps.slice(open).map(({ step }) => step) }),
    range: { file: base.file, start: base.start, end: known.at(-1)?.end ?? base.end },
  });
}

function literalKey(key: Expression): PathStep | undefined {
  if (key.kind === "number") return /^\d+$/.test(key.text) ? { index: Number(key.text) } : undefined;
  if (key.kind !== "template" || key.parts.length > 1) return undefined;
  const [part] = key.parts;
  if (part === undefined) return { key: "" };
  return part.kind === "literal" ? { key: part.value } : undefined;
}
