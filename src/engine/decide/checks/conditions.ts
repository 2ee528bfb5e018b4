/**
 * @module Conditions with a message: what does not hold of them, or is not known yet.
 * Source: https://opentofu.org/docs/language/expressions/custom-conditions/
 */
import type { Condition } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../../diagnostics/diagnostic.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import { convert, isConversionError } from "../../../values/convert.ts";
import { containsHidden } from "../../../values/marks.ts";
import { boolType, stringType } from "../../../values/type.ts";
import { isUnknown } from "../../../values/value.ts";
import { type CheckResult, worst } from "../../state/check-results.ts";

export interface Unmet {
  readonly status: Exclude<CheckResult["status"], "pass">;
  /** An error, whatever the status. */
  readonly diagnostic: Diagnostic;
}

/** Summaries of what is said. */
export interface ConditionWords {
  readonly failed: string;
  readonly unclear: string;
  readonly later: string;
}

/** The conditions that do not hold, or whose result is unknown. */
export const unmet = (
  conditions: readonly Condition[],
  scope: Scope,
  words: ConditionWords,
): readonly Unmet[] => conditions.flatMap((condition) => unmetOne(condition, scope, words) ?? []);

function unmetOne({ condition, message }: Condition, scope: Scope, words: ConditionWords): Unmet | undefined {
  const range = condition;
  const { value, diagnostics } = evaluate(condition, scope);
  const [problem] = diagnostics.filter(({ severity }) => severity === "error");
  if (problem !== undefined) return { status: "error", diagnostic: problem };
  const answer = convert(value, boolType);
  if (isConversionError(answer) || answer.value.data === null) {
    const detail = "Its condition is neither true nor false.";
    return { status: "error", diagnostic: errorDiagnostic(words.unclear, detail, { range }) };
  }
  if (isUnknown(answer.value)) {
    const detail =
      "What it is about is not known before: whether it holds is said when this plan is applied.";
    return { status: "unknown", diagnostic: errorDiagnostic(words.later, detail, { range }) };
  }
  if (answer.value.data === true) return undefined;
  return { status: "fail", diagnostic: errorDiagnostic(words.failed, textOf(message, scope), { range }) };
}

/** What the condition says itself. */
function textOf(message: Condition["message"], scope: Scope): string {
  const { value, diagnostics } = evaluate(message, scope);
  const text = convert(value, stringType);
  const isShown = !hasErrors(diagnostics) && !isConversionError(text) && !containsHidden(text.value);
  return isShown && typeof text.value.data === "string"
    ? text.value.data
    : "Its condition does not hold. Its message is sensitive, not known, or no text.";
}

/** The result of conditions in the form that the state keeps. */
export function resultOf(kind: CheckResult["kind"], address: string, found: readonly Unmet[]): CheckResult {
  const messages = found.flatMap((each) => (each.status === "fail" ? [each.diagnostic.detail] : []));
  return { kind, address, status: worst(found), messages };
}
