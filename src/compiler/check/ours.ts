/**
 * @module Whether an expression depends on a Conn3x resource, directly or through local values.
 */
import type { Expression } from "../../hcl/tree.ts";
import { visitExpression } from "../lower/rewrite.ts";

/** The expressions of local values, by name. */
export type LocalValues = ReadonlyMap<string, Expression>;

export function isOurs(expression: Expression, locals: LocalValues): boolean {
  const seen = new Set<string>();
  const open = [expression];
  let found = false;
  for (let next = open.pop(); next !== undefined && !found; next = open.pop()) {
    visitExpression(next, (node, hidden) => {
      if (node.kind !== "attributeAccess" || node.object.kind !== "variable") return;
      const root = node.object.name;
      if (hidden.has(root)) return;
      if (root.startsWith("conn3x_") || root === "step") found = true;
      const local = root === "local" && !seen.has(node.name) ? locals.get(node.name) : undefined;
      if (local === undefined) return;
      seen.add(node.name);
      open.push(local);
    });
  }
  return found;
}
