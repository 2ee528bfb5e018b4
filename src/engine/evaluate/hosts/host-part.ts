/**
 * @module Keeps what is compiled for a step with keys of its own from being quadratic in the number of hosts.
 *
 * The instances of such a step on one host are `{ for k, v in conn3x_package.web__tools : … if startswith(k, "HOST/") }`.
 * Evaluated as written, every host's expression goes through the instances of all hosts. Here the collection is replaced
 * by a name for those of its instances whose keys start so; the condition stays, so that the result is the same.
 */
import { rewriteBody, rewriteExpression } from "../../../compiler/index.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import type { Body, Expression, For } from "../../../hcl/tree.ts";

/** Root name of the replacement: `HOST PART["conn3x_package.web__tools"]["HOST/"]`. No identifier has a space in it. */
export const hostPartRoot = "HOST PART";

/**
 * @param addresses of the configuration's resources
 * @returns the body with those expressions replaced
 */
export const withHostParts = (body: Body, addresses: ReadonlySet<string>): Body =>
  rewriteBody(body, (expression) =>
    rewriteExpression(expression, (inner, hidden) =>
      inner.kind === "for" ? withHostPart(inner, hidden, addresses) : undefined,
    ),
  );

function withHostPart(
  expression: For,
  hidden: ReadonlySet<string>,
  addresses: ReadonlySet<string>,
): Expression | undefined {
  const { collection, condition, keyName } = expression;
  if (collection.kind !== "attributeAccess" || collection.object.kind !== "variable") return undefined;
  const address = `${collection.object.name}.${collection.name}`;
  if (!addresses.has(address) || hidden.has(collection.object.name)) return undefined;
  if (condition?.kind !== "call" || condition.name !== "startswith") return undefined;
  const [text, prefix] = condition.args;
  if (text?.kind !== "variable" || text.name !== keyName || prefix === undefined) return undefined;
  const { file, start, end } = collection;
  return { ...expression, collection: partOf(address, prefix, { file, start, end }) };
}

function partOf(address: string, prefix: Expression, range: SourceRange): Expression {
  const name: Expression = {
    kind: "template",
    form: "quoted",
    parts: [{ kind: "literal", value: address, ...range }],
    ...range,
  };
  const root: Expression = { kind: "variable", name: hostPartRoot, ...range };
  const resource: Expression = { kind: "index", collection: root, key: name, legacy: false, ...range };
  return { kind: "index", collection: resource, key: prefix, legacy: false, ...range };
}
