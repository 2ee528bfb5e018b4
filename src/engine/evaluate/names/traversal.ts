/**
 * @module Expressions that only name a value by its path: `network[0].name`, `conn3x_file.web__a[each.key].revision`.
 */
import type { Expression } from "../../../hcl/tree.ts";
import type { Path, PathStep } from "../../../values/path.ts";

/** A step to a name, or to what a key expression gives. */
export type TraversalStep = { readonly name: string } | { readonly key: Expression };

export interface Traversal {
  readonly root: string;
  readonly steps: readonly TraversalStep[];
}

/** Undefined for any other expression. */
export function traversalOf(expression: Expression): Traversal | undefined {
  const steps: TraversalStep[] = [];
  let at = expression;
  for (;;) {
    switch (at.kind) {
      case "variable":
        return { root: at.name, steps: steps.reverse() };
      case "attributeAccess":
        steps.push({ name: at.name });
        at = at.object;
        break;
      case "index":
        steps.push({ key: at.key });
        at = at.collection;
        break;
      default:
        return undefined;
    }
  }
}

/** The path that an expression names whose root is an attribute; undefined where a key is not written out. */
export function literalPath(expression: Expression): Path | undefined {
  const traversal = traversalOf(expression);
  if (traversal === undefined) return undefined;
  const steps = literalSteps(traversal.steps);
  return steps && [{ attribute: traversal.root }, ...steps];
}

/** Undefined where a key is not written out. */
export function literalSteps(steps: readonly TraversalStep[]): Path | undefined {
  const path = steps.map(literalStep);
  return path.every((step) => step !== undefined) ? path : undefined;
}

function literalStep(step: TraversalStep): PathStep | undefined {
  if ("name" in step) return { attribute: step.name };
  const { key } = step;
  if (key.kind === "number" && /^\d+$/.test(key.text)) return { index: Number(key.text) };
  if (key.kind !== "template") return undefined;
  const [part, ...more] = key.parts;
  if (part === undefined) return { key: "" };
  return part.kind === "literal" && more.length === 0 ? { key: part.value } : undefined;
}
