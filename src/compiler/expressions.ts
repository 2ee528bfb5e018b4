/**
 * @module The expressions of which a resource is made.
 */
import type { Body, Expression } from "../hcl/tree.ts";
import type { Resource } from "./model.ts";

/** All that the engine evaluates for it, with the conditions of its `lifecycle`. */
export function expressionsOf({ forEach, count, body, lifecycle }: Resource): readonly Expression[] {
  return [
    ...[forEach, count].filter((expression) => expression !== undefined),
    ...expressionsIn(body),
    ...(lifecycle === undefined ? [] : expressionsIn(lifecycle)),
  ];
}

/** In the order of the text. */
export const expressionsIn = (body: Body): readonly Expression[] =>
  body.items.flatMap((item) => (item.kind === "attribute" ? [item.expression] : expressionsIn(item.body)));
