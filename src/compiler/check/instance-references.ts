/**
 * @module References to attributes of our resources: whether a kind has them, and whether an instance is named.
 */

import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import type { AttributeAccess, Expression, IndexAccess } from "../../hcl/tree.ts";
import type { KindDeclaration, KindRegistry } from "../declare/declaration.ts";
import { visitExpression } from "../lower/rewrite.ts";
import type { Resource } from "../model.ts";

/** What a reference is about. */
interface Target {
  readonly resource: Resource;
  readonly kind: KindDeclaration;
}

/** One error for each reference to an instance or attribute that does not exist. */
export function findMistakenReferences(
  expressions: readonly Expression[],
  resources: readonly Resource[],
  kinds: KindRegistry,
): readonly Diagnostic[] {
  const targets = new Map<string, Target>();
  for (const resource of resources) {
    const kind = kinds.get(resource.type);
    if (kind !== undefined) targets.set(resource.address, { resource, kind });
  }
  const targetOf = (node: Expression, hidden: ReadonlySet<string>): Target | undefined =>
    node.kind === "attributeAccess" && node.object.kind === "variable" && !hidden.has(node.object.name)
      ? targets.get(`${node.object.name}.${node.name}`)
      : undefined;
  const found: Diagnostic[] = [];
  for (const expression of expressions) {
    visitExpression(expression, (node, hidden) => {
      const problem =
        node.kind === "attributeAccess"
          ? checkAttribute(node, (part) => targetOf(part, hidden))
          : node.kind === "index"
            ? checkIndex(node, targetOf(node.collection, hidden))
            : undefined;
      if (problem !== undefined) found.push(problem);
    });
  }
  return found;
}

function checkAttribute(
  node: AttributeAccess,
  targetOf: (part: Expression) => Target | undefined,
): Diagnostic | undefined {
  const whole = targetOf(node.object);
  if (whole !== undefined) {
    return isKeyed(whole.resource) ? missingKey(node, whole.resource) : unknownAttribute(node, whole);
  }
  const instance = node.object.kind === "index" ? targetOf(elements(node.object.collection)) : undefined;
  return instance !== undefined && isKeyed(instance.resource) ? unknownAttribute(node, instance) : undefined;
}

/** `values(x)[0]` is an instance of x, as `x[key]` is. */
const elements = (collection: Expression): Expression =>
  collection.kind === "call" && collection.name === "values"
    ? (collection.args[0] ?? collection)
    : collection;

const isKeyed = ({ forEach, count }: Resource): boolean => forEach !== undefined || count !== undefined;

function unknownAttribute(node: AttributeAccess, { resource, kind }: Target): Diagnostic | undefined {
  const names = [...Object.keys(kind.schema.attributes), ...Object.keys(kind.schema.blocks)].sort();
  if (names.includes(node.name)) return undefined;
  const facts = resource.origin?.kind === "facts";
  const offered = facts ? factNames(kind) : names;
  return errorDiagnostic(
    `Unknown attribute "${node.name}" of ${facts ? "host.facts" : resource.address}`,
    `${facts ? "Facts have" : `"${resource.origin?.kind ?? resource.type}" has`} no attribute of that name. ${suggestion(node.name, offered)}`,
    { range: node.nameRange },
  );
}

/** The facts of a host: the attributes that not every resource has. */
const factNames = ({ schema }: KindDeclaration): readonly string[] =>
  Object.entries(schema.attributes)
    .filter(([name, { computed }]) => computed && !["id", "revision", "skipped"].includes(name))
    .map(([name]) => name)
    .sort();

function missingKey(node: AttributeAccess, { address, origin }: Resource): Diagnostic {
  const what = origin === undefined ? "several instances" : "an instance for each host";
  const key = origin === undefined ? "KEY" : origin.ownKeys ? '"HOST/KEY"' : "host.name";
  return errorDiagnostic(
    `${address} needs an instance's key`,
    `It has ${what}: write ${address}[${key}].${node.name}.`,
    { range: node },
  );
}

function checkIndex(node: IndexAccess, target: Target | undefined): Diagnostic | undefined {
  if (target === undefined || isKeyed(target.resource)) return undefined;
  return errorDiagnostic(
    `${target.resource.address} has no instances to choose from`,
    "It has neither for_each nor count. Remove the brackets.",
    { range: node.key },
  );
}
