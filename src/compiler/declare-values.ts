/**
 * @module `variable`, `locals` and `output` blocks.
 */

import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { quoted } from "../diagnostics/quoted.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Attribute, Block, Expression } from "../hcl/tree.ts";
import { readBody } from "./body-reader.ts";
import { declareCondition, required } from "./conditions.ts";
import { referenceAddresses } from "./declare-resource.ts";
import { checkNoLabels } from "./labels.ts";
import { literalString } from "./literal.ts";
import type { Check, Condition, NamedExpression, Output, Variable } from "./model.ts";
import { isIdentifier } from "./names.ts";
import type { Report } from "./report.ts";
import { visitExpression } from "./rewrite.ts";

const variableRules = {
  where: "a variable",
  attributes: ["type", "default", "description", "sensitive", "nullable", "ephemeral", "deprecated"],
  blocks: ["validation"],
};

export function declareVariable(block: Block, report: Report): Variable | undefined {
  const name = singleName(block, report);
  if (name === undefined) return undefined;
  const { attributes, blocks } = readBody(block.body, variableRules, report);
  if (reservedNames.includes(name)) report(reservedName(name, block.labels[0]!));
  const given = attributes.get("default")?.expression;
  if (given !== undefined) checkDefault(given, report);
  return {
    name,
    type: attributes.get("type")?.expression,
    default: given,
    description: literalText(attributes.get("description"), report),
    // What may have been meant to be hidden is.
    sensitive: block.body.gaps !== undefined || literalBool(attributes.get("sensitive"), false, report, true),
    nullable: literalBool(attributes.get("nullable"), true, report),
    validations: blocks.flatMap((validation) => declareValidation(validation, name, report) ?? []),
    range: block.header,
  };
}

function declareValidation(block: Block, variable: string, report: Report): Condition | undefined {
  const declared = declareCondition(block, "a validation", report);
  if (declared !== undefined && !refersTo(variable, declared.condition)) {
    report(
      errorDiagnostic(
        "The condition is not about its variable",
        `It must refer to var.${variable}: a value that is given is tested by it.`,
        { range: declared.condition },
      ),
    );
  }
  return declared;
}

function refersTo(variable: string, condition: Expression): boolean {
  let found = false;
  visitExpression(condition, (node) => {
    found ||= node.kind === "attributeAccess" && node.name === variable && isRoot(node.object, "var");
    found ||= node.kind === "index" && literalString(node.key) === variable && isRoot(node.collection, "var");
  });
  return found;
}

const isRoot = (expression: Expression, name: string): boolean =>
  expression.kind === "variable" && expression.name === name;

/** What is meant by these in a `module` block is something else than a variable's value. */
const reservedNames: readonly string[] = [
  "source",
  "version",
  "providers",
  "count",
  "for_each",
  "lifecycle",
  "depends_on",
  "locals",
];

const reservedName = (name: string, range: SourceRange) =>
  errorDiagnostic(
    `"${name}" cannot name a variable`,
    "In a module block it has a meaning of its own. Choose another name.",
    { range },
  );

/** It is needed before there is anything to refer to, and OpenTofu calls no functions for it. */
function checkDefault(written: Expression, report: Report): void {
  const fail = (summary: string, range: SourceRange): void =>
    report(
      errorDiagnostic(
        summary,
        "A default stands for itself. What is made of other values goes into locals { … }.",
        { range },
      ),
    );
  visitExpression(written, (node, hidden) => {
    if (node.kind === "variable" && !hidden.has(node.name)) fail("A default cannot refer to anything", node);
    else if (node.kind === "call") fail("A default cannot call functions", node.nameRange);
  });
}

/** What stands in its `data` block only another engine can ask for. */
export function declareCheck(block: Block, report: Report): Check | undefined {
  const name = singleName(block, report);
  if (name === undefined) return undefined;
  const { blocks } = readBody(
    block.body,
    { where: "a check", attributes: [], blocks: ["assert", "data"] },
    report,
  );
  const assertions = blocks.filter(({ type }) => type === "assert");
  if (assertions.length === 0) {
    report(
      errorDiagnostic(
        `Check "${name}" asserts nothing`,
        "Add assert { condition = …, error_message = … } to it.",
        {
          range: block.header,
        },
      ),
    );
  }
  return {
    name,
    assertions: assertions.flatMap((assertion) => declareCondition(assertion, "an assertion", report) ?? []),
    range: block.header,
  };
}

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
    range: block.header,
  };
}

/** The one label of the block, which must be an identifier. */
export function singleName(block: Block, report: Report): string | undefined {
  const [label, extra] = block.labels;
  if (label !== undefined && extra === undefined && isIdentifier(label.value)) return label.value;
  report(
    errorDiagnostic(
      `This ${block.type} is not named right`,
      `Write ${block.type} "name" { … }. A name has letters, digits, underscores and dashes, and does not start with a digit.`,
      { range: extra ?? label ?? block.header },
    ),
  );
  return undefined;
}

function literalText(attribute: Attribute | undefined, report: Report): string {
  if (attribute === undefined) return "";
  const text = literalString(attribute.expression);
  if (text === undefined) reportNotLiteral(attribute, "text in quotes without ${…}", report);
  return text ?? "";
}

/** @param unclear what it is taken for where it is neither */
function literalBool(
  attribute: Attribute | undefined,
  otherwise: boolean,
  report: Report,
  unclear = otherwise,
): boolean {
  if (attribute === undefined) return otherwise;
  const { expression } = attribute;
  if (expression.kind === "keyword" && expression.value !== null) return expression.value;
  const text = literalString(expression);
  if (text === "true" || text === "false") return text === "true";
  reportNotLiteral(attribute, "true or false", report);
  return unclear;
}

const reportNotLiteral = (attribute: Attribute, what: string, report: Report): void =>
  report(
    errorDiagnostic(
      `"${attribute.name}" must be written out`,
      `It is needed before anything is evaluated: write ${what}.`,
      {
        range: attribute.expression,
      },
    ),
  );
