/**
 * @module What the parts of the evaluator share: the scope, evaluation of sub-expressions, diagnostics.
 */

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Expression } from "../hcl/tree.ts";
import { withMarks } from "../values/marks.ts";
import { dynamicType } from "../values/type.ts";
import { type Mark, unknownValue, type Value } from "../values/value.ts";
import type { Scope } from "./scope.ts";

export interface Evaluator {
  readonly scope: Scope;
  readonly evaluate: (expression: Expression) => Value;
  readonly report: Report;
  /**
   * True inside a `for` or splat over a sensitive value: the elements have no marks of their own, but must not be
   * quoted by diagnostics either.
   */
  readonly secret: boolean;
  /** A copy with another scope, or a secret one, that has the same report. */
  readonly within: (scope: Scope, secret: boolean) => Evaluator;
  /** Counts visited items; false when there are more than {@link mostItems} in the whole expression. */
  readonly count: (items: number) => boolean;
  /** Evaluates and returns the diagnostics instead of reporting them, so that they can be dropped. */
  readonly apart: (expression: Expression) => Outcome;
}

export interface Outcome {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** How many items one expression may visit: nested `for`s could fill any memory. */
export const mostItems = 2_000_000;

/** The value in place of one that could not be determined: unknown, of unknown type. */
export const anything: Value = unknownValue(dynamicType);

/** Reports an error and goes on with {@link anything}. */
export function failed(at: Evaluator, range: SourceRange, summary: string, detail: string): Value {
  at.report(
    errorDiagnostic(summary, detail, { range: { file: range.file, start: range.start, end: range.end } }),
  );
  return anything;
}

/** The value with the marks of all of `sources` too. */
export function withMarksOf(value: Value, ...sources: readonly Value[]): Value {
  const marks = new Set<Mark>();
  for (const source of sources) for (const mark of source.marks ?? []) marks.add(mark);
  return withMarks(value, marks);
}
