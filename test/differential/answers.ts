/**
 * @module Our evaluator's answers, in the form of the console's, and the list of expressions.
 */
import { readFileSync } from "node:fs";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { evaluate } from "../../src/eval/evaluate.ts";
import { functionTable } from "../../src/eval/functions/table.ts";
import { scopeOf } from "../../src/eval/scope.ts";
import { parseExpression } from "../../src/hcl/parse/parse.ts";
import { showValue } from "../../src/values/show.ts";
import { boolType, dynamicType, listOf, numberType, setOf, stringType } from "../../src/values/type.ts";
import { objectValue, unknownValue } from "../../src/values/value.ts";
import { failure } from "./console.ts";

/** What is known only after apply: a string, a number, a bool, a list, a set, and something of any type. */
export const configuration = `
resource "terraform_data" "made" {
  input = "x"
}
locals {
  string = terraform_data.made.id
  number = parseint(terraform_data.made.id, 10)
  bool   = terraform_data.made.id == "x"
  list   = split(",", terraform_data.made.id)
  set    = toset(split(",", terraform_data.made.id))
  any    = terraform_data.made.output
}`;

const unknowns = objectValue({
  string: unknownValue(stringType),
  number: unknownValue(numberType, { notNull: true }),
  bool: unknownValue(boolType),
  list: unknownValue(listOf(stringType), { notNull: true }),
  set: unknownValue(setOf(stringType), { notNull: true }),
  any: unknownValue(dynamicType),
});

const scope = scopeOf({ local: unknowns }, functionTable({ baseDirectory: "/nonexistent" }));

export function ourAnswer(text: string): string {
  const { expression, diagnostics } = parseExpression(new SourceFile("expression", text));
  if (hasErrors(diagnostics)) return `not parsed: ${diagnostics[0]!.detail}`;
  const outcome = evaluate(expression, scope);
  return hasErrors(outcome.diagnostics) ? failure : showValue(outcome.value, 2);
}

/**
 * `expressions.txt` has one expression per line; lines that start with `#` are comments. What follows `# only: tofu`
 * or `# only: terraform`, up to the next blank line, is for that engine alone.
 */
export function expressionsFor(engine: string): readonly string[] {
  const source = readFileSync(new URL("expressions.txt", import.meta.url), "utf8");
  return source.split(/\n\n+/).flatMap((paragraph) => {
    const only = /^# only: (\w+)$/m.exec(paragraph)?.[1];
    if (only !== undefined && only !== engine) return [];
    return paragraph.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  });
}
