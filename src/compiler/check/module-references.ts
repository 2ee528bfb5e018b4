/**
 * @module References to outputs of local modules: whether there is such an output, and whether an instance is named.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import type { AttributeAccess, Expression } from "../../hcl/tree.ts";
import { visitExpression } from "../lower/rewrite.ts";
import type { ModuleCall } from "../model.ts";

/** One error for each reference to an output that a module does not have. */
export function findMissingOutputs(
  expressions: readonly Expression[],
  modules: ReadonlyMap<string, ModuleCall>,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const expression of expressions) {
    visitExpression(expression, (node, hidden) => {
      if (node.kind !== "attributeAccess" || hidden.has("module")) return;
      const problem = problemOf(node, modules);
      if (problem !== undefined) found.push(problem);
    });
  }
  return found;
}

function problemOf(node: AttributeAccess, modules: ReadonlyMap<string, ModuleCall>): Diagnostic | undefined {
  const whole = callOf(node.object, modules);
  if (whole !== undefined && (whole.forEach ?? whole.count) !== undefined) {
    return errorDiagnostic(
      `module.${whole.name} needs an instance's key`,
      `It has several instances: write module.${whole.name}[KEY].${node.name}.`,
      { range: node },
    );
  }
  const call = whole ?? (node.object.kind === "index" ? callOf(node.object.collection, modules) : undefined);
  const { outputs, lost } = call?.configuration ?? {};
  if (lost?.blocks.has("anything")) return undefined;
  if (call === undefined || outputs === undefined || outputs.has(node.name)) return undefined;
  return errorDiagnostic(
    `Module "${call.name}" has no output "${node.name}"`,
    `Nothing in its directory declares it. ${suggestion(node.name, [...outputs.keys()].sort())}`,
    { range: node.nameRange },
  );
}

/** The module that `module.NAME` refers to. */
const callOf = (node: Expression, modules: ReadonlyMap<string, ModuleCall>): ModuleCall | undefined =>
  node.kind === "attributeAccess" && node.object.kind === "variable" && node.object.name === "module"
    ? modules.get(node.name)
    : undefined;
