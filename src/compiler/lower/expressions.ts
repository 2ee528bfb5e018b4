/**
 * @module The expressions in a resource.
 */
import type { Body, Expression } from "../../hcl/tree.ts";
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

/** Names of the iterators of `dynamic` blocks. */
export const iteratorsIn = (body: Body): readonly string[] =>
  body.items.flatMap((item) => {
    if (item.kind === "attribute") return [];
    const [label] = item.type === "dynamic" ? item.labels : [];
    return [...(label === undefined ? [] : [label.value]), ...iteratorsIn(item.body)];
  });

/** In the order of the text. */
export const expressionsIn = (body: Body): readonly Expression[] =>
  body.items.flatMap((item) => (item.kind === "attribute" ? [item.expression] : expressionsIn(item.body)));
