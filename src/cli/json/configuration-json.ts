/**
 * @module A configuration as `tofu show -json PLANFILE` has it: what policies read that are about how something is
 * written. Circuits are in it as the resources that they compile to.
 * Source: https://opentofu.org/docs/internals/json-format/#configuration-representation
 */
import {
  type Configuration,
  type ModuleCall,
  providerSource,
  type Resource,
  type Variable,
} from "../../compiler/index.ts";
import { providerSchema } from "../../core/index.ts";
import { Problems, readConstraint } from "../../engine/index.ts";
import { evaluate } from "../../eval/evaluate.ts";
import { scopeOf } from "../../eval/scope.ts";
import type { Block, Expression } from "../../hcl/tree.ts";
import { convert, isConversionError } from "../../values/convert.ts";
import { typeToJson } from "../../values/json/json.ts";
import type { Value } from "../../values/value.ts";
import { exactJson } from "./exact-json.ts";
import { bodyJson, expressionJson } from "./expression-json.ts";
import { listText, objectText, plainText } from "./json-object.ts";

const ourName = "conn3x";

/** One line. */
export function configurationJson(configuration: Configuration): string {
  return objectText({
    provider_config: objectText(providers(configuration)),
    root_module: moduleJson(configuration),
  });
}

/** The one without an alias is there although nobody wrote it. */
function providers({ providers: blocks }: Configuration): Record<string, string> {
  const written = blocks.map((block) => [aliasOf(block), block] as const);
  const all = written.some(([alias]) => alias === undefined)
    ? written
    : [[undefined, undefined] as const, ...written];
  return Object.fromEntries(all.map(([alias, block]) => providerJson(alias, block)));
}

function providerJson(alias: string | undefined, block: Block | undefined): readonly [string, string] {
  const given = block === undefined ? "{}" : bodyJson(block.body, providerSchema.provider);
  const json = objectText({
    name: plainText(ourName),
    full_name: plainText(providerSource),
    alias: alias === undefined ? undefined : plainText(alias),
    expressions: given === "{}" ? undefined : given,
  });
  return [alias === undefined ? ourName : `${ourName}.${alias}`, json];
}

function aliasOf({ body }: Block): string | undefined {
  const alias = body.items.find((item) => item.kind === "attribute" && item.name === "alias");
  if (alias?.kind !== "attribute") return undefined;
  const { value } = evaluate(alias.expression, scopeOf({}));
  return typeof value.data === "string" ? value.data : undefined;
}

function moduleJson({ outputs, resources, modules, variables }: Configuration): string {
  return objectText({
    outputs: members(outputs, ({ description, sensitive, expression }) =>
      objectText({
        sensitive: sensitive ? "true" : undefined,
        expression: expressionJson(expression),
        description: description === "" ? undefined : plainText(description),
      }),
    ),
    resources:
      resources.length === 0
        ? undefined
        : listText([...resources].sort((a, b) => (a.address < b.address ? -1 : 1)).map(resourceJson)),
    module_calls: members(modules, callJson),
    variables: members(variables, variableJson),
  });
}

function members<T>(named: ReadonlyMap<string, T>, json: (one: T) => string): string | undefined {
  const texts = [...named].map(([name, one]) => [name, json(one)] as const);
  return texts.length === 0 ? undefined : objectText(Object.fromEntries(texts));
}

function resourceJson({ address, type, name, body, forEach, count, dependsOn }: Resource): string {
  const schema = providerSchema.resources.get(type);
  return objectText({
    address: plainText(address),
    mode: plainText("managed"),
    type: plainText(type),
    name: plainText(name),
    provider_config_key: plainText(ourName),
    expressions: schema === undefined ? "{}" : bodyJson(body, schema),
    schema_version: String(schema?.version ?? 0),
    ...repetition({ forEach, count }),
    depends_on: waits(dependsOn),
  });
}

function callJson({ source, configuration, forEach, count, inputs, dependsOn }: ModuleCall): string {
  return objectText({
    source: source === undefined ? undefined : plainText(source),
    expressions: members(inputs, expressionJson),
    ...repetition({ forEach, count }),
    module: configuration === undefined ? undefined : moduleJson(configuration),
    depends_on: waits(dependsOn),
  });
}

const repetition = ({ forEach, count }: Pick<Resource, "forEach" | "count">) => ({
  count_expression: optional(count),
  for_each_expression: optional(forEach),
});

const optional = (expression: Expression | undefined): string | undefined =>
  expression === undefined ? undefined : expressionJson(expression);

const waits = (addresses: readonly string[]): string | undefined =>
  addresses.length === 0 ? undefined : plainText(addresses);

function variableJson(variable: Variable): string {
  const value = defaultValue(variable);
  const type = variable.type && readConstraint(variable.type, new Problems()).type;
  return objectText({
    type: type === undefined ? undefined : plainText(typeToJson(type)),
    default: value === undefined ? undefined : exactJson(value),
    description: variable.description === "" ? undefined : plainText(variable.description),
    sensitive: variable.sensitive ? "true" : undefined,
    ephemeral: variable.ephemeral ? "true" : undefined,
  });
}

/** In the declared type, as far as it can be had. */
function defaultValue({ default: written, type }: Variable): Value | undefined {
  if (written === undefined) return undefined;
  const { value } = evaluate(written, scopeOf({}));
  if (type === undefined) return value;
  const constraint = readConstraint(type, new Problems());
  const converted = convert(constraint.withDefaults(value), constraint.type);
  return isConversionError(converted) ? value : converted.value;
}
