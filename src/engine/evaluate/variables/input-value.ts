/**
 * @module A value of an input variable from outside, read and evaluated; what is wrong with it is reported where it is
 * written.
 */
import { literalKey, type Variable, visitExpression } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { SourceFile, type SourceRange } from "../../../diagnostics/source.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import { references } from "../../../eval/references.ts";
import { scopeOf } from "../../../eval/scope.ts";
import { parseExpression } from "../../../hcl/parse/parse.ts";
import type { Expression } from "../../../hcl/tree.ts";
import type { Path } from "../../../values/path.ts";
import type { Type } from "../../../values/type.ts";
import { stringValue, type Value } from "../../../values/value.ts";
import type { Problems } from "../problems.ts";
import { locationOfInput, type VariableInput } from "./variable-input.ts";

/** A value that a variable is given. */
export interface GivenInput {
  readonly value: Value;
  /** For messages: `-var`, `module "web"`, `prod.tfvars line 3`. */
  readonly source: string;
  /** Where a part of it is written, as closely as that shows. Absent: nowhere that may be shown. */
  readonly rangeOf?: (path: Path) => SourceRange | undefined;
}

/**
 * Text from outside: as it is for a variable whose type is primitive or not given, else an expression, in which neither
 * variables nor functions mean anything.
 *
 * @param type that is declared
 * @returns undefined after an error, which was reported
 */
export function readInput(
  input: VariableInput,
  variable: Variable,
  type: Type,
  problems: Problems,
): GivenInput | undefined {
  const { text, form, source, name, range } = input;
  if (form === "broken") return undefined;
  const location = locationOfInput(input);
  const isPlain = variable.type === undefined || ["string", "number", "bool"].includes(type.kind);
  if (form !== "expression" && isPlain) return { value: stringValue(text), source: location };
  const file = new SourceFile(`<${source} for ${name}>`, text);
  const report = (found: readonly Diagnostic[]): boolean =>
    problems.reportAll(
      found.map((one) =>
        isHidden(variable) ? unreadableSecret(variable, location) : inInput(one, file, range),
      ),
    );
  const parsed = parseExpression(file);
  if (!report(parsed.diagnostics) || !report(misplacedIn(parsed.expression))) return undefined;
  const { value, diagnostics } = evaluate(parsed.expression, scopeOf({}));
  if (!report(diagnostics)) return undefined;
  if (range === undefined || isHidden(variable)) return { value, source: location };
  return {
    value,
    source: location,
    rangeOf: (path) => placed(partAt(parsed.expression, path), file, range),
  };
}

/** What means nothing outside of the configuration. A word without quotes is what it is mostly. */
function misplacedIn(expression: Expression): readonly Diagnostic[] {
  const found = references(expression).map(({ range }) =>
    errorDiagnostic(
      "A reference in a variable's value",
      "What a variable is given from outside cannot refer to anything. If this is meant as text, write it in quotes.",
      { range },
    ),
  );
  visitExpression(expression, (node) => {
    if (node.kind !== "call") return;
    const detail = "What a variable is given from outside is written out: no function can be called in it.";
    found.push(errorDiagnostic("A function in a variable's value", detail, { range: node.nameRange }));
  });
  return found;
}

/** Whether neither its value nor where that is written may be shown. */
const isHidden = ({ sensitive, ephemeral }: Variable): boolean => sensitive || ephemeral;

/** Neither the text nor what it says about it may be shown. */
const unreadableSecret = ({ name, range, sensitive }: Variable, location: string): Diagnostic =>
  errorDiagnostic(
    `Variable "${name}" cannot have this value`,
    `The value from ${location} is no value in HCL's syntax. It is not shown, because the variable is ${sensitive ? "sensitive" : "ephemeral"}.`,
    { range },
  );

/** Where it stands in the variables file. */
function inInput(diagnostic: Diagnostic, file: SourceFile, range: SourceRange | undefined): Diagnostic {
  if (range === undefined || diagnostic.range?.file !== file) return diagnostic;
  return { ...diagnostic, range: placed(diagnostic.range, file, range) };
}

/** Of a variable whose value may be shown. JSON writes it otherwise than the text that was read, so it is shown whole. */
function placed(part: SourceRange, { text }: SourceFile, { file, start, end }: SourceRange): SourceRange {
  return file.text.slice(start, end) === text
    ? { file, start: start + part.start, end: start + part.end, shown: true }
    : { file, start, end, shown: true };
}

/** The part of an expression that gives a part of its value, as far as it is written out. */
export function partAt(expression: Expression, [step, ...rest]: Path): Expression {
  if (step === undefined) return expression;
  if (expression.kind === "parentheses") return partAt(expression.inner, [step, ...rest]);
  if (expression.kind === "tuple" && "index" in step) {
    const item = expression.items[step.index];
    return item === undefined ? expression : partAt(item, rest);
  }
  if (expression.kind !== "object" || "index" in step) return expression;
  const name = "attribute" in step ? step.attribute : step.key;
  const item = expression.items.findLast(({ key }) => literalKey(key) === name);
  return item === undefined ? expression : partAt(item.value, rest);
}
