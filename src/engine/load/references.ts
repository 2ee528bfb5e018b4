/**
 * @module The names that an expression refers to.
 */
import type { Expression, TemplatePart } from "../../hcl/tree.ts";

/** A root name and the first attribute taken of it: `local.x`, `conn3x_file.web__config`. */
export interface Reference {
  readonly root: string;
  /** Undefined when none follows, or an index. */
  readonly name: string | undefined;
}

/** Every reference in the expression; variables of `for` are none. */
export function referencesIn(expression: Expression): readonly Reference[] {
  const found: Reference[] = [];
  visit(expression, new Set(), found);
  return found;
}

type Names = ReadonlySet<string>;

function visit(expression: Expression, bound: Names, found: Reference[]): void {
  const { kind } = expression;
  if (kind === "variable") {
    add({ root: expression.name, name: undefined }, bound, found);
  } else if (kind === "attributeAccess" && expression.object.kind === "variable") {
    add({ root: expression.object.name, name: expression.name }, bound, found);
  } else if (kind === "template") {
    visitParts(expression.parts, bound, found);
  } else if (kind === "for") {
    visit(expression.collection, bound, found);
    const inner = withNames(bound, expression.keyName, expression.valueName);
    for (const part of [expression.key, expression.value, expression.condition]) {
      if (part !== undefined) visit(part, inner, found);
    }
  } else {
    for (const part of partsOf(expression)) visit(part, bound, found);
  }
}

function add(reference: Reference, bound: Names, found: Reference[]): void {
  if (!bound.has(reference.root)) found.push(reference);
}

/** The expressions in one whose parts know the same names as itself. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "attributeAccess":
      return [expression.object];
    case "index":
      return [expression.collection, expression.key];
    case "splat":
      return [
        expression.source,
        ...expression.steps.flatMap((step) => (step.kind === "index" ? [step.key] : [])),
      ];
    case "call":
      return expression.args;
    case "unary":
      return [expression.operand];
    case "binary":
      return [expression.left, expression.right];
    case "conditional":
      return [expression.condition, expression.then, expression.otherwise];
    case "parentheses":
      return [expression.inner];
    case "tuple":
      return expression.items;
    case "object":
      // A bare name as a key is that text.
      return expression.items.flatMap(({ key, value }) => (key.kind === "variable" ? [value] : [key, value]));
    default:
      return [];
  }
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
      visitParts(part.body, withNames(bound, part.keyName, part.valueName), found);
    }
  }
}

const withNames = (bound: Names, ...names: readonly (string | undefined)[]): Names =>
  new Set([...bound, ...names.filter((name) => name !== undefined)]);
