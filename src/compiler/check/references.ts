/**
 * @module Reports references to variables, local values, modules and resources that no file declares.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest, suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { brokenRoot } from "../../hcl/parse/broken.ts";
import type { AttributeAccess, Expression, Variable } from "../../hcl/tree.ts";
import { expressionsOf, iteratorsIn } from "../lower/expressions.ts";
import { visitExpression } from "../lower/rewrite.ts";
import type { Configuration, Lost } from "../model.ts";
import { isHostsLocalName } from "../names.ts";

export type Declared = Pick<
  Configuration,
  "resources" | "variables" | "locals" | "outputs" | "modules" | "checks" | "foreign"
>;

/**
 * Whether an undeclared name may belong to a declaration that was not understood.
 *
 * @param root the name before it: `var`, `module`, a type
 */
export function isLost(root: string, name: string, { blocks, members }: Lost): boolean {
  if (blocks.has("anything")) return true;
  if (root === "var") return blocks.has("variable");
  if (root === "local") return blocks.has("local");
  if (root === "module") return blocks.has("module");
  return blocks.has("resource") || members.has(name);
}

/**
 * One error for each reference to something undeclared.
 *
 * @param lost declarations that were not understood
 */
export function findUndeclared(
  declared: Declared,
  expressions: readonly Expression[],
  lost: Lost,
): readonly Diagnostic[] {
  const resources = resourceNames(declared);
  const iterators = new Set(declared.resources.flatMap(({ body }) => iteratorsIn(body)));
  const found: Diagnostic[] = [];
  for (const expression of expressions) {
    visitExpression(expression, (node, hidden) => {
      if (
        node.kind === "variable" &&
        ![hidden, iterators].some((own) => own.has(node.name)) &&
        !isRoot(node.name)
      )
        found.push(unknownRoot(node));
      const root = node.kind === "attributeAccess" ? rootOf(node) : undefined;
      if (node.kind !== "attributeAccess" || root === undefined || hidden.has(root)) return;
      if (isLost(root, node.name, lost)) return;
      const problem = problemOf(node, root, declared, resources);
      if (problem !== undefined) found.push(problem);
    });
  }
  return found;
}

/** Root names that are valid everywhere. */
const roots: readonly string[] = ["var", "local", "module", "data", "path", "terraform", "tofu"];

/** Root names that are valid in some positions only; their use elsewhere is reported when they are evaluated. */
const placed: readonly string[] = ["each", "count", "self", "ephemeral", brokenRoot];

/** Root names of circuits. The compiler has replaced them wherever they are valid. */
const ofCircuits: readonly string[] = ["host", "step", "handler", "circuit"];

/** Resource types start with the name of their provider and an underscore. */
const isRoot = (name: string): boolean => roots.includes(name) || placed.includes(name) || name.includes("_");

/** @param node a name alone, or the root of a reference */
function unknownRoot({ name, ...range }: Variable): Diagnostic {
  if (ofCircuits.includes(name)) {
    const detail = "It has one in the steps and handlers of circuits only.";
    return errorDiagnostic(`"${name}" has no meaning here`, detail, { range });
  }
  const near = nearest(name, [...roots, "each", "host", "step"]);
  const advice = near === undefined ? `For the text itself write "${name}".` : `Did you mean "${near}"?`;
  return errorDiagnostic("Unknown variable", `There is no variable named "${name}". ${advice}`, { range });
}

/** The root name: `var` for `var.x`, `data` for `data.aws_ami.x`; undefined for accesses further from the root. */
function rootOf({ object }: AttributeAccess): string | undefined {
  if (object.kind === "variable") return object.name === "data" ? undefined : object.name;
  const isData =
    object.kind === "attributeAccess" && object.object.kind === "variable" && object.object.name === "data";
  return isData ? "data" : undefined;
}

/**
 * One error for each element of a `depends_on` that names an undeclared module or resource.
 *
 * @param lost declarations that were not understood
 */
export function findUndeclaredWaits(declared: Declared, lost: Lost): readonly Diagnostic[] {
  const resources = resourceNames(declared);
  const found: Diagnostic[] = [];
  for (const { dependsOnRanges } of declared.resources) {
    for (const [address, range] of dependsOnRanges ?? []) {
      const names = address.split(".");
      const [type, name] = [names.slice(0, -1).join("."), names.at(-1)!];
      if (isLost(type, name, lost)) continue;
      const problem =
        type === "module"
          ? undeclaredName(name, type, declared.modules, range)
          : names.length > 1 && !valueRoots.includes(type)
            ? undeclaredName(name, type, resources.get(type) ?? nothing, range)
            : undefined;
      if (problem !== undefined) found.push(problem);
    }
  }
  return found;
}

/** Roots of values. In a `depends_on` OpenTofu takes them as references to what the value depends on. */
const valueRoots: readonly string[] = ["var", "local"];

/** Names by type (`conn3x_file`, `data.aws_ami`), with resources that the embedded engine does not support. */
function resourceNames({ resources, foreign }: Declared): ReadonlyMap<string, Names> {
  const names = new Map<string, Set<string>>();
  const add = (type: string, name: string) => names.set(type, (names.get(type) ?? new Set()).add(name));
  for (const { type, name } of resources) add(type, name);
  for (const { block } of foreign) {
    const [type, name] = block.labels;
    if (type === undefined || name === undefined) continue;
    if (block.type === "resource") add(type.value, name.value);
    else if (block.type === "data" || block.type === "ephemeral")
      add(`${block.type}.${type.value}`, name.value);
  }
  return names;
}

function problemOf(
  node: AttributeAccess,
  root: string,
  { variables, locals, modules }: Declared,
  resources: ReadonlyMap<string, Names>,
): Diagnostic | undefined {
  if (root === "var") return undeclared(node, "variable", variables);
  if (root === "local") return undeclared(node, "local value", locals);
  if (root === "module") return undeclared(node, "module", modules);
  if (root === "data") {
    const type = `data.${(node.object as AttributeAccess).name}`;
    return undeclared(node, type, resources.get(type) ?? nothing);
  }
  // Only resource types have an underscore after a provider's name.
  if (!root.includes("_")) return undefined;
  const names = resources.get(root);
  return names === undefined
    ? undeclaredType(node, root, [...resources.keys()])
    : undeclared(node, root, names);
}

function undeclaredType(node: AttributeAccess, type: string, types: readonly string[]): Diagnostic {
  const near = nearest(type, types);
  return errorDiagnostic(
    `There is no ${type} ${quoted(node.name)}`,
    near === undefined
      ? "Nothing in this directory declares one."
      : `Nothing in this directory declares one. Did you mean ${near}.${node.name}?`,
    { range: node },
  );
}

/** Declared names. */
type Names = Pick<ReadonlySet<string>, "has" | "keys">;

const nothing: Names = new Set();

const undeclared = (node: AttributeAccess, what: string, names: Names): Diagnostic | undefined =>
  undeclaredName(node.name, what, names, node);

function undeclaredName(
  name: string,
  what: string,
  names: Names,
  range: SourceRange,
): Diagnostic | undefined {
  if (names.has(name)) return undefined;
  const all = [...names.keys()];
  const written = what === "local value" ? all.filter((one) => !isHostsLocalName(one)) : all;
  return errorDiagnostic(
    `There is no ${what} ${quoted(name)}`,
    `Nothing in this directory declares it. ${suggestion(name, written)}`,
    { range },
  );
}

/** Every expression of the configuration that is evaluated. */
export const allExpressions = ({
  resources,
  variables,
  locals,
  outputs,
  modules,
  checks,
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
  ...checks.flatMap(({ assertions }) => assertions.flatMap(({ condition, message }) => [condition, message])),
];
