/**
 * @module `module` blocks.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block, Expression } from "../../hcl/tree.ts";
import { literalKind } from "../check/literal-values.ts";
import { literalString } from "../hosts/literal.ts";
import type { Configuration, ModuleCall } from "../model.ts";
import { moduleSource } from "../source/module-source.ts";
import { singleName } from "./labels.ts";
import { referenceAddresses } from "./resource.ts";

const metaArguments: readonly string[] = [
  "source",
  "version",
  "for_each",
  "count",
  "providers",
  "depends_on",
];

/** @param known configurations of local modules, by `source` as written */
export function declareModule(
  block: Block,
  known: ReadonlyMap<string, Configuration>,
  report: Report,
): ModuleCall | undefined {
  const name = singleName(block, report);
  if (name === undefined) return undefined;
  const attributes = new Map<string, Attribute>();
  for (const item of block.body.items) {
    if (item.kind === "attribute") attributes.set(item.name, item);
    else if (item.type !== "lifecycle") reportBlock(item, report);
  }
  if (!attributes.has("source")) {
    report(
      errorDiagnostic(`Module "${name}" has no source`, 'Say where it is: source = "./modules/web".', {
        range: block.header,
      }),
    );
  }
  checkSource(attributes.get("source")?.expression, report);
  const source = moduleSource(block);
  const dependsOn = attributes.get("depends_on");
  const inputs = [...attributes.values()].filter((attribute) => !metaArguments.includes(attribute.name));
  const configuration = source === undefined ? undefined : known.get(source);
  if (configuration !== undefined) checkInputs(name, block, inputs, configuration, report);
  return {
    name,
    source,
    configuration,
    forEach: attributes.get("for_each")?.expression,
    count: attributes.get("count")?.expression,
    inputs: new Map(inputs.map((input): [string, Expression] => [input.name, input.expression])),
    dependsOn: dependsOn === undefined ? [] : referenceAddresses(dependsOn, report),
    range: block.header,
  };
}

/** Reports a source that no engine accepts. */
function checkSource(source: Expression | undefined, report: Report): void {
  const kind = source && literalKind(source);
  if (source === undefined || kind === undefined) return;
  const problem =
    kind !== "a string" ? `It is ${kind}.` : literalString(source) === "" ? "It is empty." : undefined;
  if (problem === undefined) return;
  report(
    errorDiagnostic(
      "This is not a module's source",
      `${problem} Say where the module is: source = "./modules/web".`,
      { range: source },
    ),
  );
}

const reportBlock = (block: Block, report: Report): void =>
  report(
    errorDiagnostic(
      `Block ${quoted(block.type)} in a module`,
      `A module's inputs are arguments: ${block.type} = ….`,
      {
        range: block.header,
      },
    ),
  );

function checkInputs(
  name: string,
  block: Block,
  inputs: readonly Attribute[],
  { variables, incomplete, gaps }: Configuration,
  report: Report,
): void {
  // A variable that seems to be missing may be one that was not understood.
  if (incomplete || gaps !== undefined) return;
  for (const input of inputs) {
    if (variables.has(input.name)) continue;
    report(
      errorDiagnostic(
        `Module "${name}" has no variable ${quoted(input.name)}`,
        `Nothing in its directory declares it. ${suggestion(input.name, [...variables.keys()].sort())}`,
        { range: input.nameRange },
      ),
    );
  }
  for (const variable of variables.values()) {
    if (variable.default !== undefined || inputs.some((input) => input.name === variable.name)) continue;
    report(
      errorDiagnostic(`Module "${name}" needs "${variable.name}"`, `Add ${variable.name} = … to it.`, {
        range: block.header,
      }),
    );
  }
}
