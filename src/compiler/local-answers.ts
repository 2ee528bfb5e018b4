/**
 * @module What is asked of local values by their text, answered once for each of them.
 */
import type { Expression } from "../hcl/tree.ts";
import type { LocalValues } from "./ours.ts";

/** How many local values that lead to each other are followed: more need more stack than there may be. */
const longestChain = 200;

/**
 * @param look answers for an expression, and asks for the local values in it
 * @param otherwise the answer where nothing can be told: no such local value, one that needs itself, a chain too long
 * @returns the answer for a local value, by its name
 */
export function answersOfLocals<A>(
  locals: LocalValues,
  look: (expression: Expression) => A,
  otherwise: A,
): (name: string) => A {
  const known = new Map<string, A>();
  let depth = 0;
  return (name) => {
    const answer = known.get(name);
    if (answer !== undefined) return answer;
    const expression = locals.get(name);
    if (expression === undefined || known.has(name) || depth === longestChain) return otherwise;
    known.set(name, otherwise);
    depth++;
    const found = look(expression);
    depth--;
    known.set(name, found);
    return found;
  };
}
