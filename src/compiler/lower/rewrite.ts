/**
 * @module Replaces or visits the nodes of an expression, with the names that enclosing `for` expressions bind.
 */
import { type BoundNames, eachPart, noNames, withNames } from "../../hcl/parts.ts";
import type { Block, Body, Expression, For, ObjectItem, SplatStep, TemplatePart } from "../../hcl/tree.ts";

/**
 * Called for every expression, outermost first.
 *
 * @param hidden names that are variables of an enclosing `for` here
 * @returns the replacement, which is not searched again; undefined to go on to the parts of the expression
 */
export type Replace = (expression: Expression, hidden: BoundNames) => Expression | undefined;

/** A copy of the expression with every replacement made. */
export function rewriteExpression(
  expression: Expression,
  replace: Replace,
  hidden: BoundNames = noNames,
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
      return { ...expression, source: go(expression.source), steps: rewriteSteps(expression.steps, go) };
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
      return { ...expression, items: expression.items.map((item) => rewriteItem(item, go)) };
    case "for":
      return rewriteFor(expression, replace, hidden);
    case "meant":
      return { ...expression, meaning: go(expression.meaning), written: go(expression.written) };
  }
}

/** A bare name as key is the string of that name, whatever else the name means. */
const rewriteItem = ({ key, value }: ObjectItem, go: (part: Expression) => Expression): ObjectItem => ({
  key: key.kind === "variable" ? key : go(key),
  value: go(value),
});

const rewriteSteps = (
  steps: readonly SplatStep[],
  go: (part: Expression) => Expression,
): readonly SplatStep[] =>
  steps.map((step): SplatStep => {
    if (step.kind === "index") return { ...step, key: go(step.key) };
    return step.kind === "splat" ? { ...step, steps: rewriteSteps(step.steps, go) } : step;
  });

function rewriteFor(expression: For, replace: Replace, hidden: BoundNames): For {
  const inner = withNames(hidden, expression);
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
  hidden: BoundNames,
): readonly TemplatePart[] {
  return parts.map((part) => rewritePart(part, replace, hidden));
}

function rewritePart(part: TemplatePart, replace: Replace, hidden: BoundNames): TemplatePart {
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
        body: rewriteParts(part.body, replace, withNames(hidden, part)),
      };
  }
}

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

/** Calls `visit` for the expression and every one inside, outermost first, with the `for` variables bound there. */
export function visitExpression(
  expression: Expression,
  visit: (expression: Expression, bound: BoundNames) => void,
  bound: BoundNames = noNames,
): void {
  visit(expression, bound);
  eachPart(expression, bound, (part, inner) => visitExpression(part, visit, inner));
}
