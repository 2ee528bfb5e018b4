/**
 * @module Replaces nodes of an expression, minding which names the variables of `for` hide.
 */
import type { Block, Body, Expression, For, ObjectItem, SplatStep, TemplatePart } from "../hcl/tree.ts";

/**
 * Called for every expression, outermost first.
 *
 * @param hidden names that mean variables of enclosing `for`s here
 * @returns what takes the expression's place and is not looked into again; undefined to go on to its parts
 */
export type Replace = (expression: Expression, hidden: ReadonlySet<string>) => Expression | undefined;

const nothingHidden: ReadonlySet<string> = new Set();

/** A copy of the expression with every replacement made. */
export function rewriteExpression(
  expression: Expression,
  replace: Replace,
  hidden: ReadonlySet<string> = nothingHidden,
): Expression {
  const replaced = replace(expression, hidden);
  if (replaced !== undefined) return replaced;
  const go = (part: Expression): Expression => rewriteExpression(part, replace, hidden);
  switch (expression.kind) {
    case "number":
    case "keyword":
    case "variable":
      return expression;
    case "template":
      return { ...expression, parts: rewriteParts(expression.parts, replace, hidden) };
    case "attributeAccess":
      return { ...expression, object: go(expression.object) };
    case "index":
      return { ...expression, collection: go(expression.collection), key: go(expression.key) };
    case "splat":
      return {
        ...expression,
        source: go(expression.source),
        steps: expression.steps.map(
          (step): SplatStep => (step.kind === "index" ? { ...step, key: go(step.key) } : step),
        ),
      };
    case "call":
      return { ...expression, args: expression.args.map(go) };
    case "unary":
      return { ...expression, operand: go(expression.operand) };
    case "binary":
      return { ...expression, left: go(expression.left), right: go(expression.right) };
    case "conditional":
      return {
        ...expression,
        condition: go(expression.condition),
        then: go(expression.then),
        otherwise: go(expression.otherwise),
      };
    case "parentheses":
      return { ...expression, inner: go(expression.inner) };
    case "tuple":
      return { ...expression, items: expression.items.map(go) };
    case "object":
      return {
        ...expression,
        items: expression.items.map(
          (item): ObjectItem => ({
            // A bare name as key is the string of that name, whatever else the name means.
            key: item.key.kind === "variable" ? item.key : go(item.key),
            value: go(item.value),
          }),
        ),
      };
    case "for":
      return rewriteFor(expression, replace, hidden);
  }
}

function rewriteFor(expression: For, replace: Replace, hidden: ReadonlySet<string>): For {
  const inner = hide(hidden, expression.keyName, expression.valueName);
  const go = (part: Expression): Expression => rewriteExpression(part, replace, inner);
  return {
    ...expression,
    collection: rewriteExpression(expression.collection, replace, hidden),
    key: expression.key === undefined ? undefined : go(expression.key),
    value: go(expression.value),
    condition: expression.condition === undefined ? undefined : go(expression.condition),
  };
}

function rewriteParts(
  parts: readonly TemplatePart[],
  replace: Replace,
  hidden: ReadonlySet<string>,
): readonly TemplatePart[] {
  return parts.map((part) => rewritePart(part, replace, hidden));
}

function rewritePart(part: TemplatePart, replace: Replace, hidden: ReadonlySet<string>): TemplatePart {
  switch (part.kind) {
    case "literal":
      return part;
    case "interpolation":
      return { ...part, expression: rewriteExpression(part.expression, replace, hidden) };
    case "if":
      return {
        ...part,
        condition: rewriteExpression(part.condition, replace, hidden),
        then: rewriteParts(part.then, replace, hidden),
        otherwise: part.otherwise === undefined ? undefined : rewriteParts(part.otherwise, replace, hidden),
      };
    case "for":
      return {
        ...part,
        collection: rewriteExpression(part.collection, replace, hidden),
        body: rewriteParts(part.body, replace, hide(hidden, part.keyName, part.valueName)),
      };
  }
}

const hide = (hidden: ReadonlySet<string>, ...names: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set([...hidden, ...names.filter((name) => name !== undefined)]);

/** A copy of the body with every expression in it, nested blocks included, rewritten by `rewrite`. */
export function rewriteBody(body: Body, rewrite: (expression: Expression) => Expression): Body {
  return {
    ...body,
    items: body.items.map((item) =>
      item.kind === "attribute"
        ? { ...item, expression: rewrite(item.expression) }
        : ({ ...item, body: rewriteBody(item.body, rewrite) } satisfies Block),
    ),
  };
}

/** Calls `visit` for every expression inside, outermost first, with the names that `for` variables hide there. */
export function visitExpression(
  expression: Expression,
  visit: (expression: Expression, hidden: ReadonlySet<string>) => void,
): void {
  rewriteExpression(expression, (node, hidden) => {
    visit(node, hidden);
    return undefined;
  });
}
