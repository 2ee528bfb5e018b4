/**
 * @module Configurations for tests, from text: `resource`, `variable`, `locals`, `output`, `provider`, `module`, `moved`,
 * `removed` and `import` blocks. A resource named `CIRCUIT__MEMBER` is taken for a circuit's step, or for a handler if it
 * has `triggers`.
 */

import { declareCheck } from "../../compiler/declare/check.ts";
import { declareModule } from "../../compiler/declare/module.ts";
import { declareImport, declareMoved, declareRemoved } from "../../compiler/declare/moves.ts";
import { declareOutput } from "../../compiler/declare/values.ts";
import type { Configuration, Resource, Variable } from "../../compiler/model.ts";
import { moduleSource } from "../../compiler/source/module-source.ts";
import type { Report } from "../../diagnostics/report.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { parseFile } from "../../hcl/parse/parse.ts";
import type { Attribute, Block, Expression } from "../../hcl/tree.ts";

/**
 * @param modules texts of the modules that it calls, and of those that these call, by `source`
 * @throws Error for a block that is not right
 */
export function configurationOf(text: string, modules: Readonly<Record<string, string>> = {}): Configuration {
  return configurationIn("main.tf", text, modules);
}

function configurationIn(
  name: string,
  text: string,
  modules: Readonly<Record<string, string>>,
): Configuration {
  const file = new SourceFile(name, text);
  const { body, diagnostics, comments } = parseFile(file);
  const blocks = body.items.filter((item) => item.kind === "block");
  const of = (type: string): readonly Block[] => blocks.filter((block) => block.type === type);
  const declared = <T>(type: string, declare: (block: Block, report: Report) => T | undefined): T[] =>
    of(type).flatMap((block) => declare(block, refuse) ?? []);
  const called = new Map(
    Object.entries(modules).map(([source, module]) => [
      source,
      () => configurationIn(`${source}/main.tf`, module, modules),
    ]),
  );
  const sources = of("module").map((block) => moduleSource(block) ?? "");
  const known = new Map(
    [...new Set(sources)].flatMap((source) => {
      const made = called.get(source);
      return made === undefined ? [] : [[source, made()] as const];
    }),
  );
  return {
    directory: ".",
    files: [file],
    sources: [{ file, body, comments }],
    circuits: [],
    resources: of("resource").map(resourceOf),
    variables: named(of("variable").map(variableOf)),
    locals: named(
      of("locals").flatMap(({ body: { items } }) =>
        items.filter(isAttribute).map(({ name, expression, ...range }) => ({ name, expression, range })),
      ),
    ),
    outputs: named(declared("output", declareOutput)),
    modules: named(declared("module", (block, report) => declareModule(block, known, report))),
    moved: declared("moved", declareMoved),
    removed: declared("removed", declareRemoved),
    imports: declared("import", declareImport),
    checks: declared("check", declareCheck),
    providers: of("provider"),
    foreign: [],
    diagnostics,
    incomplete: false,
  };
}

const refuse: Report = ({ summary, detail }) => {
  throw new Error(`${summary}: ${detail}`);
};

const isAttribute = (item: Attribute | Block): item is Attribute => item.kind === "attribute";

const named = <T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((item) => [item.name, item]));

const find = ({ body }: Block, name: string): Expression | undefined =>
  body.items.filter(isAttribute).find((item) => item.name === name)?.expression;

const isTrue = (expression: Expression | undefined): boolean =>
  expression?.kind === "keyword" && expression.value === true;

const meta = new Set(["for_each", "count", "depends_on", "lifecycle"]);

function resourceOf(block: Block): Resource {
  const [type = "", name = ""] = block.labels.map(({ value }) => value);
  const items = block.body.items.filter((item) => !meta.has(item.kind === "block" ? item.type : item.name));
  const dependsOn = find(block, "depends_on");
  const lifecycle = block.body.items.find((item) => item.kind === "block" && item.type === "lifecycle");
  const [circuit, member] = name.split("__");
  const role = find(block, "triggers") === undefined ? "step" : "handler";
  return {
    type,
    name,
    address: `${type}.${name}`,
    forEach: find(block, "for_each"),
    count: find(block, "count"),
    body: { ...block.body, items },
    dependsOn: dependsOn?.kind === "tuple" ? dependsOn.items.map(addressIn) : [],
    lifecycle: lifecycle?.kind === "block" ? lifecycle.body : undefined,
    origin:
      circuit === undefined || member === undefined
        ? undefined
        : { circuit, member, role, kind: type, ownKeys: false },
    range: block.header,
  };
}

function addressIn(expression: Expression): string {
  if (expression.kind !== "attributeAccess" || expression.object.kind !== "variable")
    throw new Error("an address");
  return `${expression.object.name}.${expression.name}`;
}

function variableOf(block: Block): Variable {
  return {
    name: block.labels[0]!.value,
    type: find(block, "type"),
    default: find(block, "default"),
    description: "",
    sensitive: isTrue(find(block, "sensitive")),
    ephemeral: isTrue(find(block, "ephemeral")),
    nullable: find(block, "nullable") === undefined || isTrue(find(block, "nullable")),
    validations: block.body.items.flatMap((item) =>
      item.kind === "block" && item.type === "validation"
        ? [{ condition: find(item, "condition")!, message: find(item, "error_message")!, range: item.header }]
        : [],
    ),
    range: block.header,
  };
}
