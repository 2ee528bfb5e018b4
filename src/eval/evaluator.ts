/**
 * @module What the parts of the evaluator work with: the scope, a way to evaluate a part, a place for diagnostics.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Expression } from "../hcl/tree.ts";
import { withMarks } from "../values/marks.ts";
import { dynamicType } from "../values/type.ts";
import { type Mark, unknownValue, type Value } from "../values/value.ts";
import type { Scope } from "./scope.ts";

export interface Evaluator {
  readonly scope: Scope;
  readonly evaluate: (expression: Expression) => Value;
  readonly report: (diagnostic: Diagnostic) => void;
  /**
   * Set inside of a `for` or splat over something sensitive: its elements have no marks of their own, but must not be
   * quoted by diagnostics either.
   */
  readonly secret: boolean;
  /** An evaluator with other names, or a secret one, whose diagnostics go to the same place. */
  readonly within: (scope: Scope, secret: boolean) => Evaluator;
  /** Counts items that an expression goes through; false when there are more than {@link mostItems} altogether. */
  readonly count: (items: number) => boolean;
  /** Evaluates with the diagnostics kept apart, for where they may be dropped. */
  readonly apart: (expression: Expression) => Outcome;
}

export interface Outcome {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** Items that one expression may go through: nested `for`s fill any memory otherwise. */
export const mostItems = 2_000_000;

/** What stands for a value that could not be found out: unknown, of no known type. */
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
