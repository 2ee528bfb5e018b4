/**
 * @module `locals` and `output` blocks.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block } from "../../hcl/tree.ts";
import type { NamedExpression, Output } from "../model.ts";
import { readBody } from "./body-reader.ts";
import { declareCondition, required } from "./conditions.ts";
import { checkNoLabels, singleName } from "./labels.ts";
import { literalBool, literalText } from "./literal-arguments.ts";
import { referenceAddresses } from "./resource.ts";

export function declareLocals(block: Block, report: Report): readonly NamedExpression[] {
  checkNoLabels(block, report);
  const locals: NamedExpression[] = [];
  for (const item of block.body.items) {
    if (item.kind === "attribute") {
      locals.push({ name: item.name, expression: item.expression, range: item.nameRange });
    } else {
      report(
        errorDiagnostic(`Block ${quoted(item.type)} in locals`, `Locals are arguments: ${item.type} = ….`, {
          range: item.header,
        }),
      );
    }
  }
  return locals;
}

const outputRules = {
  where: "an output",
  attributes: ["value", "description", "sensitive", "depends_on", "ephemeral", "deprecated"],
  blocks: ["precondition"],
};

export function declareOutput(block: Block, report: Report): Output | undefined {
  const name = singleName(block, report);
  if (name === undefined) return undefined;
  const content = readBody(block.body, outputRules, report);
  const expression = required(content, "value", block, report);
  if (expression === undefined) return undefined;
  const preconditions = content.blocks.flatMap(
    (condition) => declareCondition(condition, "a precondition", report) ?? [],
  );
  const dependsOn = content.attributes.get("depends_on");
  return {
    ...(dependsOn === undefined ? {} : { dependsOn: referenceAddresses(dependsOn, report) }),
    ...(preconditions.length === 0 ? {} : { preconditions }),
    name,
    expression,
    description: literalText(content.attributes.get("description"), report),
    sensitive: literalBool(content.attributes.get("sensitive"), false, report),
    ephemeral: literalBool(content.attributes.get("ephemeral"), false, report),
    range: block.header,
  };
}
