/**
 * @module References to what no file declares: variables, local values, resources of ours.
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { AttributeAccess, Expression } from "../hcl/tree.ts";
import { suggestion } from "./body-reader.ts";
import { expressionsOf } from "./expressions.ts";
import type { Configuration } from "./model.ts";
import { isHostsLocalName } from "./names.ts";
import { visitExpression } from "./rewrite.ts";

export type Declared = Pick<
  Configuration,
  "resources" | "variables" | "locals" | "outputs" | "modules" | "foreign"
>;

/** One error for each reference that leads nowhere. */
export function findUndeclared(
  declared: Declared,
  expressions: readonly Expression[],
): readonly Diagnostic[] {
  const resources = resourceNames(declared);
  const found: Diagnostic[] = [];
  for (const expression of expressions) {
    visitExpression(expression, (node, hidden) => {
      if (node.kind !== "attributeAccess" || node.object.kind !== "variable") return;
      if (hidden.has(node.object.name)) return;
      const problem = problemOf(node, node.object.name, declared, resources);
      if (problem !== undefined) found.push(problem);
    });
  }
  return found;
}

/** One error for each element of a circuit's or step's `depends_on` that names a module, or a resource of ours, that is not there. */
export function findUndeclaredWaits(declared: Declared): readonly Diagnostic[] {
  const resources = resourceNames(declared);
  const found: Diagnostic[] = [];
  for (const { dependsOnRanges } of declared.resources) {
    for (const [address, range] of dependsOnRanges ?? []) {
      const [type, name] = address.split(".") as [string, string];
      const problem =
        type === "module"
          ? undeclaredName(name, type, [...declared.modules.keys()], range)
          : type.startsWith("conn3x_")
            ? undeclaredName(name, type, resources.get(type) ?? [], range)
            : undefined;
      if (problem !== undefined) found.push(problem);
    }
  }
  return found;
}

/** Names by type. A resource that the embedded engine does not accept is declared all the same. */
function resourceNames({ resources, foreign }: Declared): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const add = (type: string, name: string) => names.set(type, [...(names.get(type) ?? []), name]);
  for (const { type, name } of resources) add(type, name);
  for (const { block } of foreign) {
    const [type, name] = block.labels;
    if (block.type === "resource" && type !== undefined && name !== undefined) add(type.value, name.value);
  }
  return names;
}

function problemOf(
  node: AttributeAccess,
  root: string,
  { variables, locals, modules }: Declared,
  resources: ReadonlyMap<string, readonly string[]>,
): Diagnostic | undefined {
  if (root === "var") return undeclared(node, "variable", [...variables.keys()]);
  if (root === "local") return undeclared(node, "local value", [...locals.keys()]);
  if (root === "module") return undeclared(node, "module", [...modules.keys()]);
  if (root.startsWith("conn3x_")) return undeclared(node, root, resources.get(root) ?? []);
  return undefined;
}

const undeclared = (node: AttributeAccess, what: string, names: readonly string[]): Diagnostic | undefined =>
  undeclaredName(node.name, what, names, node);

function undeclaredName(
  name: string,
  what: string,
  names: readonly string[],
  range: SourceRange,
): Diagnostic | undefined {
  if (names.includes(name)) return undefined;
  const written = what === "local value" ? names.filter((one) => !isHostsLocalName(one)) : names;
  return errorDiagnostic(
    `There is no ${what} "${name}"`,
    `Nothing in this directory declares it. ${suggestion(name, written)}`,
    { range },
  );
}

/** Everything in the configuration that is evaluated. */
export const allExpressions = ({
  resources,
  variables,
  locals,
  outputs,
  modules,
}: Declared): readonly Expression[] => [
  ...resources.flatMap(expressionsOf),
  ...[...variables.values()].flatMap(({ validations }) =>
    validations.flatMap(({ condition, message }) => [condition, message]),
  ),
  ...[...modules.values()].flatMap(({ forEach, count, inputs }) => [
    ...[forEach, count].filter((expression) => expression !== undefined),
    ...inputs.values(),
  ]),
  ...[...locals.values(), ...outputs.values()].map(({ expression }) => expression),
];
