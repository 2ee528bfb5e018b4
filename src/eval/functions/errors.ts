/**
 * @module `try` and `can`: expressions that may fail.
 */
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { marksDeep, withMarks } from "../../values/marks.ts";
import { boolType } from "../../values/type.ts";
import { boolValue, unknownValue, type Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { anything } from "../evaluator.ts";
import { type FunctionError, functionError, type LazyFunction } from "../function-definition.ts";

function describe({ summary, detail, range }: Diagnostic): string {
  const place = range === undefined ? "" : ` (at ${range.file.name}:${range.file.lineOf(range.start)})`;
  return `- ${summary}${place}\n  ${detail}`;
}

/** An unknown argument may fail once it is known; then another one counts, whose type may differ. */
const undecided = (value: Value): Value => withMarks(anything, marksDeep(value));

export const errorFunctions: readonly LazyFunction[] = [
  {
    name: "try",
    callLazily: (args): Value | FunctionError => {
      if (args.length === 0) return functionError("at least one argument is required");
      const problems: string[] = [];
      for (const argument of args) {
        const { value, diagnostics } = argument();
        if (!hasErrors(diagnostics)) return isWhollyKnown(value) ? value : undecided(value);
        problems.push(...diagnostics.map(describe));
      }
      return functionError(
        `no expression succeeded:\n${problems.join("\n")}\nAt least one expression must produce a successful result`,
      );
    },
  },
  {
    name: "can",
    callLazily: (args) => {
      const [argument] = args;
      if (argument === undefined || args.length > 1) return functionError("exactly one argument is required");
      const { value, diagnostics } = argument();
      if (hasErrors(diagnostics)) return boolValue(false);
      return isWhollyKnown(value) ? boolValue(true) : withMarks(unknownValue(boolType), marksDeep(value));
    },
  },
];
