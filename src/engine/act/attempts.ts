/**
 * @module A step's `retries` and `ignore_errors`, evaluated: how often an instance is tried, and whether its failure counts.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { evaluate } from "../../eval/evaluate.ts";
import type { Expression } from "../../hcl/tree.ts";
import type { BigFloat } from "../../values/big-float.ts";
import type { Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import { durationOf, notADuration } from "../evaluate/hosts/fleet.ts";
import type { Self } from "../evaluate/names/self.ts";
import type { World } from "../evaluate/names/world.ts";

export interface Attempts {
  /** The first one counted. */
  readonly count: number;
  /** Milliseconds. */
  readonly interval: number;
  readonly ignoreErrors: boolean;
}

export type AttemptsResult =
  | { readonly attempts: Attempts; readonly problems?: undefined }
  | { readonly attempts?: undefined; readonly problems: readonly Diagnostic[] };

const once: Attempts = { count: 1, interval: 0, ignoreErrors: false };

/** Defaults of `retries`. */
const standard = { count: 3, interval: 5000 };

/**
 * @param unknown what a value is that is not known. Default: an error
 */
export function attemptsOf(
  { loaded }: Pick<PlannedInstance, "loaded">,
  self: Self,
  world: World,
  unknown: "error" | "passed" = "error",
): AttemptsResult {
  const { retries, ignoreErrors } = loaded?.resource.origin ?? {};
  if (retries === undefined && ignoreErrors === undefined) return { attempts: once };
  const problems: Diagnostic[] = [];
  const read = <T>(
    expression: Expression | undefined,
    instead: T,
    understand: (value: Value) => T | undefined,
    wrong: (range: Expression) => Diagnostic,
  ): T => {
    if (expression === undefined) return instead;
    const { value, diagnostics } = evaluate(expression, world.scope(self, undefined, loaded?.module));
    problems.push(...diagnostics);
    if (value.data === null || (unknown === "passed" && !isWhollyKnown(value))) return instead;
    const understood = diagnostics.length > 0 ? instead : understand(value);
    if (understood === undefined) problems.push(wrong(expression));
    return understood ?? instead;
  };
  const { count, interval } = retries === undefined ? once : standard;
  const attempts: Attempts = {
    count: read(retries?.attempts, count, countOf, notACount),
    interval: read(retries?.interval, interval, durationOf, notADuration),
    ignoreErrors: read(
      ignoreErrors,
      false,
      ({ data }) => (typeof data === "boolean" ? data : undefined),
      notAFlag,
    ),
  };
  return problems.length > 0 ? { problems } : { attempts };
}

function countOf({ data }: Value): number | undefined {
  const number =
    typeof data === "string" ? Number(data || Number.NaN) : (data as BigFloat | null)?.toNumber?.();
  return number !== undefined && Number.isInteger(number) && number >= 1 ? number : undefined;
}

const notACount = (range: Expression): Diagnostic =>
  errorDiagnostic("This is not a number of attempts", "It must be a whole number, at least 1.", { range });

const notAFlag = (range: Expression): Diagnostic =>
  errorDiagnostic(
    '"ignore_errors" is neither true nor false',
    "It must be one of these, and known when the step is done.",
    {
      range,
    },
  );
