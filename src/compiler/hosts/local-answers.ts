/**
 * @module Questions about the text of local values, answered once for each value.
 */
import type { Expression } from "../../hcl/tree.ts";
import type { LocalValues } from "../check/ours.ts";

/** How long a chain of local values may be: a longer one could overflow the stack. */
const longestChain = 200;

/**
 * @param look gives the answer for an expression, and asks for the local values in it
 * @param otherwise the answer for an unknown local value, one that needs itself, and a chain that is too long
 * @returns a function that gives the answer for the name of a local value
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
