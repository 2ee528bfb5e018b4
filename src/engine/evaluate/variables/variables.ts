/**
 * @module Values of input variables: given from outside or by default, in their declared types, checked.
 */
import type { Variable } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { nearest } from "../../../diagnostics/nearest.ts";
import { quoted } from "../../../diagnostics/quoted.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { FunctionDefinition } from "../../../eval/function-definition.ts";
import { type Scope, scopeOf } from "../../../eval/scope.ts";
import type { Expression } from "../../../hcl/tree.ts";
import { convert, isConversionError } from "../../../values/convert.ts";
import { containsHidden, containsMark, withMarks } from "../../../values/marks.ts";
import { formatPath } from "../../../values/path.ts";
import { boolType, stringType } from "../../../values/type.ts";
import { isNull, unknownValue, type Value } from "../../../values/value.ts";
import type { Problems } from "../problems.ts";
import { anyType, type Constraint, readConstraint } from "./constraint.ts";
import { ephemeralRefused } from "./ephemeral.ts";
import { type GivenInput, partAt, readInput } from "./input-value.ts";
import { locationOfInput, type VariableInput } from "./variable-input.ts";

export interface VariableOptions {
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  /** Constraints of every variable, at least. */
  readonly constraints: ReadonlyMap<Variable, Constraint>;
  /** What a variable without a value and without a default is. */
  readonly unset: "error" | "unknown";
  /** Gets the values before they are converted to their types. */
  readonly given?: Map<string, Value>;
}

/** The type of a variable with its defaults. Reports what is no type. */
export const constraintOf = ({ type }: Variable, problems: Problems): Constraint =>
  type === undefined ? anyType : readConstraint(type, problems);

/**
 * @param inputs lowest precedence first
 * @returns a value for every declared variable, unknown for one with errors; sensitive and ephemeral ones are marked. Conditions are not
 *   looked at yet: they may refer to anything
 */
export function loadVariables(
  declared: ReadonlyMap<string, Variable>,
  inputs: readonly VariableInput[],
  options: VariableOptions,
  problems: Problems,
): ReadonlyMap<string, Value> {
  const given = new Map<string, VariableInput>();
  for (const input of inputs) {
    if (declared.has(input.name)) given.set(input.name, input);
    else reportUndeclared(input, declared.keys(), problems);
  }
  const values = new Map<string, Value>();
  for (const variable of declared.values()) {
    const constraint = options.constraints.get(variable)!;
    const value = variableValue(variable, given.get(variable.name), constraint, options, problems);
    values.set(variable.name, marked(value, variable));
  }
  return values;
}

/**
 * The value of a module's variable: what it is given or its default, in its type; unknown for one with errors. A
 * sensitive one is marked, and an ephemeral one.
 */
export function inputFor(
  variable: Variable,
  input: GivenInput | undefined,
  { constraint, functions }: { readonly constraint: Constraint } & Pick<VariableOptions, "functions">,
  problems: Problems,
): Value {
  // The compiler has said where the call lacks it.
  const value = settled(variable, input, constraint, { functions, unset: "unknown" }, problems);
  if (variable.ephemeral || !containsMark(value, "ephemeral")) return marked(value, variable);
  problems.report(
    ephemeralRefused(
      `Variable "${variable.name}" of ${input!.source} is not declared with ephemeral = true, so it cannot have a value that is made of an ephemeral one.`,
      input!.rangeOf?.([]) ?? variable.range,
    ),
  );
  return unknownValue(constraint.type);
}

/** What a variable's declaration says of its value, whatever the value is. */
const marked = (value: Value, { sensitive, ephemeral }: Variable): Value =>
  withMarks(value, [
    ...(sensitive ? (["sensitive"] as const) : []),
    ...(ephemeral ? (["ephemeral"] as const) : []),
  ]);

/** The environment may hold variables for other configurations; what is typed here must be right. */
function reportUndeclared(input: VariableInput, names: Iterable<string>, problems: Problems): void {
  const { name, source, range } = input;
  if (source.startsWith("TF_VAR_")) return;
  const near = nearest(name, names);
  const hint = near === undefined ? "Declare it, or leave the value out." : `Did you mean "${near}"?`;
  const summary = `There is no variable ${quoted(name)}`;
  // What is given may be a secret that another configuration has for it: only its location is reported.
  const detail = `${locationOfInput(input)} gives it a value. ${hint}`;
  problems.report(
    range === undefined ? errorDiagnostic(summary, detail) : warningDiagnostic(summary, detail),
  );
}

function variableValue(
  variable: Variable,
  input: VariableInput | undefined,
  constraint: Constraint,
  options: VariableOptions,
  problems: Problems,
): Value {
  const given = input === undefined ? undefined : readInput(input, variable, constraint.type, problems);
  if (input !== undefined && given === undefined) return unknownValue(constraint.type);
  return settled(variable, given, constraint, options, problems);
}

/** What is given, or the default. */
function settled(
  variable: Variable,
  input: GivenInput | undefined,
  constraint: Constraint,
  { functions, unset, given: asGiven }: Omit<VariableOptions, "constraints">,
  problems: Problems,
): Value {
  const pending = unknownValue(constraint.type);
  if (input !== undefined) asGiven?.set(variable.name, input.value);
  const given = input === undefined ? undefined : fitting(input, variable, constraint, problems);
  if (input !== undefined && given === undefined) return pending;
  // A null for a variable that may not be null stands for its default.
  if (given !== undefined && !(isNull(given) && !variable.nullable && variable.default !== undefined)) {
    return notNull(given, variable, problems) ? given : pending;
  }
  if (variable.default === undefined && unset === "unknown") return pending;
  if (variable.default === undefined) {
    problems.report(
      errorDiagnostic(
        `No value for variable "${variable.name}"`,
        `It has no default. Give it with -var '${variable.name}=…', in a -var-file, or as TF_VAR_${variable.name}.`,
        { range: variable.range },
      ),
    );
    return pending;
  }
  const { value, diagnostics } = evaluate(variable.default, scopeOf({}, functions));
  if (!problems.reportAll(diagnostics)) return pending;
  asGiven?.set(variable.name, value);
  const fitted = fitting(
    { value, source: "its default", rangeOf: (path) => partAt(variable.default!, path) },
    variable,
    constraint,
    problems,
  );
  return fitted !== undefined && notNull(fitted, variable, problems) ? fitted : pending;
}

function notNull(value: Value, { name, nullable, range }: Variable, problems: Problems): boolean {
  if (nullable || !isNull(value)) return true;
  problems.report(
    errorDiagnostic(`Variable "${name}" must not be null`, "It is declared with nullable = false.", {
      range,
    }),
  );
  return false;
}

function fitting(
  { value, source, rangeOf }: GivenInput,
  { name, range, sensitive, ephemeral }: Variable,
  constraint: Constraint,
  problems: Problems,
): Value | undefined {
  const converted = convert(constraint.withDefaults(value), constraint.type);
  if (!isConversionError(converted)) return converted.value;
  const { path, error } = converted;
  const location = path.length === 0 ? "" : ` at ${formatPath(path)}`;
  const isSecret = sensitive || ephemeral || containsHidden(value);
  problems.report(
    errorDiagnostic(
      `Variable "${name}" cannot have this value`,
      `The value from ${source}${location}: ${isSecret ? "it does not fit the declared type" : error}.`,
      { range: rangeOf?.(path) ?? range },
    ),
  );
  return undefined;
}

/**
 * Reports which of its conditions a variable does not meet; what is not known yet is not met or missed yet.
 *
 * @param location where its value is from, when that is outside of the configuration: `-var`
 */
export function checkVariable(
  { name, validations }: Variable,
  scope: Scope,
  problems: Problems,
  location?: string,
): void {
  const problem = (range: Diagnostic["range"], detail: string): void => {
    problems.report(
      errorDiagnostic(
        `Variable "${name}" has an invalid value`,
        detail,
        range === undefined ? {} : { range },
      ),
    );
  };
  const evaluated = (expression: Expression): Value | undefined => {
    const { value, diagnostics } = evaluate(expression, scope);
    return problems.reportAll(diagnostics) ? value : undefined;
  };
  for (const { condition, message } of validations) {
    const value = evaluated(condition);
    if (value === undefined) continue;
    const answer = convert(value, boolType);
    if (isConversionError(answer) || answer.value.data === null) {
      problem(condition, "The condition of its validation is neither true nor false.");
    } else if (answer.value.data === false) {
      const text = evaluated(message);
      const said = text === undefined ? undefined : convert(text, stringType);
      const shown =
        said !== undefined &&
        !isConversionError(said) &&
        !containsHidden(said.value) &&
        typeof said.value.data === "string"
          ? said.value.data
          : "Its validation failed.";
      problem(condition, location === undefined ? shown : `${shown}\n\nThe value is from ${location}.`);
    }
  }
}
