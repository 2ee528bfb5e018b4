/**
 * @module The expressions in a resource.
 */
import type { Attribute, Body, Expression } from "../../hcl/tree.ts";
import type { Resource } from "../model.ts";

/** Every expression that the engine evaluates for a resource, with the conditions of its `lifecycle`. */
export function expressionsOf({ forEach, count, body, lifecycle }: Resource): readonly Expression[] {
  return [
    ...[forEach, count].filter((expression) => expression !== undefined),
    ...expressionsIn(body),
    ...(lifecycle === undefined ? [] : expressionsIn(withoutNames(lifecycle))),
  ];
}

/** `ignore_changes` names settings, not values. */
const withoutNames = (lifecycle: Body): Body => ({
  ...lifecycle,
  items: lifecycle.items.filter((item) => item.kind === "block" || item.name !== "ignore_changes"),
});

/** Names of the iterators of `dynamic` blocks: of the block itself, unless it gives another one. */
export const iteratorsIn = (body: Body): readonly string[] =>
  body.items.flatMap((item) => {
    if (item.kind === "attribute") return [];
    const [label] = item.type === "dynamic" ? item.labels : [];
    const given = item.type === "dynamic" ? iteratorIn(item.body) : undefined;
    const own = (given && iteratorName(given)) ?? label?.value;
    return [...(own === undefined ? [] : [own]), ...iteratorsIn(item.body)];
  });

/** `iterator` of a `dynamic` block's body. */
const iteratorIn = (body: Body): Expression | undefined =>
  body.items.find((item): item is Attribute => item.kind === "attribute" && item.name === "iterator")
    ?.expression;

/** The name that `iterator` gives; undefined for what is no single name. */
export const iteratorName = (expression: Expression): string | undefined =>
  expression.kind === "variable" ? expression.name : undefined;

/** In the order of the text. An `iterator` is a name, not a value. */
export const expressionsIn = (body: Body): readonly Expression[] =>
  body.items.flatMap((item) => {
    if (item.kind === "attribute") return [item.expression];
    const given = item.type === "dynamic" ? iteratorIn(item.body) : undefined;
    return expressionsIn(item.body).filter((expression) => expression !== given);
  });
