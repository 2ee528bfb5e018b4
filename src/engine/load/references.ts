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
  const also = (inner: Expression | undefined): void => {
    if (inner !== undefined) visit(inner, bound, found);
  };
  switch (expression.kind) {
    case "number":
    case "keyword":
      return;
    case "variable":
      if (!bound.has(expression.name)) found.push({ root: expression.name, name: undefined });
      return;
    case "attributeAccess":
      if (expression.object.kind === "variable") {
        const root = expression.object.name;
        if (!bound.has(root)) found.push({ root, name: expression.name });
        return;
      }
      return also(expression.object);
    case "index":
      also(expression.collection);
      return also(expression.key);
    case "splat":
      also(expression.source);
      for (const step of expression.steps) if (step.kind === "index") also(step.key);
      return;
    case "call":
      return expression.args.forEach(also);
    case "unary":
      return also(expression.operand);
    case "binary":
      also(expression.left);
      return also(expression.right);
    case "conditional":
      also(expression.condition);
      also(expression.then);
      return also(expression.otherwise);
    case "parentheses":
      return also(expression.inner);
    case "tuple":
      return expression.items.forEach(also);
    case "object":
      for (const { key, value } of expression.items) {
        if (key.kind !== "variable") also(key);
        also(value);
      }
      return;
    case "for": {
      also(expression.collection);
      const inner = withNames(bound, expression.keyName, expression.valueName);
      for (const part of [expression.key, expression.value, expression.condition]) {
        if (part !== undefined) visit(part, inner, found);
      }
      return;
    }
    case "template":
      return visitParts(expression.parts, bound, found);
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
