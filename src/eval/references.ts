/**
 * @module What an expression refers to, found without evaluating it.
 */
import type { SourceRange } from "../diagnostics/source.ts";
import type { Expression, ObjectItem, SplatStep, TemplatePart } from "../hcl/tree.ts";
import type { PathStep } from "../values/path.ts";

/** A name from outside of the expression, and the steps after it that are there to be read: `var.a["b"][0]`. */
export interface Reference {
  readonly root: string;
  /** Up to the first step that is no name or literal key: of `module.a[each.key].b` it is `a`. */
  readonly steps: readonly PathStep[];
  /** From that step on, where there is one: each that cannot be read is undefined. Of `module.a[each.key].b` it is `[undefined, b]`. */
  readonly beyond?: readonly (PathStep | undefined)[];
  /** Of the name and those steps. */
  readonly range: SourceRange;
}

/**
 * All references of an expression in the order of the text, those in keys of an index included, without the variables
 * of a `for`.
 */
export function references(expression: Expression): readonly Reference[] {
  const found: Reference[] = [];
  visit(expression, new Set(), found);
  return found.sort((a, b) => a.range.start - b.range.start);
}

type Names = ReadonlySet<string>;

function visit(expression: Expression, bound: Names, found: Reference[]): void {
  switch (expression.kind) {
    case "number":
    case "keyword":
      return;
    case "variable":
    case "attributeAccess":
    case "index":
      visitTraversal(expression, bound, found);
      return;
    case "template":
      visitParts(expression.parts, bound, found);
      return;
    case "splat":
      visit(expression.source, bound, found);
      visitSplatSteps(expression.steps, bound, found);
      return;
    case "call":
      for (const argument of expression.args) visit(argument, bound, found);
      return;
    case "unary":
      visit(expression.operand, bound, found);
      return;
    case "binary":
      visit(expression.left, bound, found);
      visit(expression.right, bound, found);
      return;
    case "conditional":
      for (const part of [expression.condition, expression.then, expression.otherwise])
        visit(part, bound, found);
      return;
    case "parentheses":
      visit(expression.inner, bound, found);
      return;
    case "tuple":
      for (const item of expression.items) visit(item, bound, found);
      return;
    case "object":
      for (const item of expression.items) visitItem(item, bound, found);
      return;
    case "for": {
      visit(expression.collection, bound, found);
      const inner = withNames(bound, expression);
      for (const part of [expression.key, expression.value, expression.condition]) {
        if (part !== undefined) visit(part, inner, found);
      }
    }
  }
}

/** A bare name as a key is that name, no reference. */
function visitItem({ key, value }: ObjectItem, bound: Names, found: Reference[]): void {
  if (key.kind !== "variable") visit(key, bound, found);
  visit(value, bound, found);
}

function visitParts(parts: readonly TemplatePart[], bound: Names, found: Reference[]): void {
  for (const part of parts) {
    if (part.kind === "interpolation") visit(part.expression, bound, found);
    else if (part.kind === "if") {
      visit(part.condition, bound, found);
      visitParts(part.then, bound, found);
      visitParts(part.otherwise ?? [], bound, found);
    } else if (part.kind === "for") {
      visit(part.collection, bound, found);
      visitParts(part.body, withNames(bound, part), found);
    }
  }
}

function visitSplatSteps(steps: readonly SplatStep[], bound: Names, found: Reference[]): void {
  for (const step of steps) {
    if (step.kind === "index") visit(step.key, bound, found);
    if (step.kind === "splat") visitSplatSteps(step.steps, bound, found);
  }
}

function withNames(
  bound: Names,
  { keyName, valueName }: { readonly keyName: string | undefined; readonly valueName: string },
): Names {
  const names = new Set(bound).add(valueName);
  return keyName === undefined ? names : names.add(keyName);
}

/** Goes down to the name that a traversal starts with, and keeps the steps that directly follow it. */
function visitTraversal(expression: Expression, bound: Names, found: Reference[]): void {
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
