/**
 * @module How a circuit goes through its hosts, evaluated: `order`, `on_failure` and `rollout`.
 */
import type { Circuit } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import type { Expression } from "../../../hcl/tree.ts";
import type { BigFloat } from "../../../values/big-float.ts";
import type { Value } from "../../../values/value.ts";
import { isElements, isWhollyKnown } from "../../../values/walk.ts";
import type { Problems } from "../problems.ts";

export interface Fleet {
  readonly circuit: string;
  readonly order: Circuit["order"];
  readonly onFailure: Circuit["onFailure"];
  /** Hosts that something is to be done on, in order, with the number of their batch: all 0 without a rollout. */
  readonly batchOf: ReadonlyMap<string, number>;
  /** At least 1. */
  readonly batches: number;
  /** More failed hosts than this stop the batches that have not begun. */
  readonly maxFailures: number;
  /** Milliseconds between batches. */
  readonly pause: number;
}

export interface FleetHosts {
  /** Number of hosts of the circuit. */
  readonly all: number;
  /** The hosts on which something is to be done, in order. */
  readonly changing: readonly string[];
}

/** Reports what is wrong with a rollout as far as it is known: without the hosts, and where not everything has a value. */
export function checkRollout({ rollout }: Circuit, scope: Scope, problems: Problems): void {
  if (rollout === undefined) return;
  const reader = new SettingReader(scope, 0, problems, "passed");
  reader.sizes(rollout.batch);
  if (rollout.maxFailures !== undefined) reader.amount(rollout.maxFailures, 0);
  if (rollout.pause !== undefined) reader.duration(rollout.pause);
}

/** Reports what is wrong with a rollout. */
export function readFleet(circuit: Circuit, hosts: FleetHosts, scope: Scope, problems: Problems): Fleet {
  const { rollout } = circuit;
  const common = { circuit: circuit.name, order: circuit.order, onFailure: circuit.onFailure };
  const reader = new SettingReader(scope, hosts.all, problems);
  const sizes = rollout === undefined ? [] : reader.sizes(rollout.batch);
  const batchOf = batched(hosts.changing, sizes);
  return {
    ...common,
    batchOf,
    batches: Math.max(0, ...batchOf.values()) + 1,
    maxFailures: rollout?.maxFailures === undefined ? 0 : reader.amount(rollout.maxFailures, 0),
    pause: rollout?.pause === undefined ? 0 : reader.duration(rollout.pause),
  };
}

/** The last size is that of all further batches; without any, all hosts are one batch. */
function batched(hosts: readonly string[], sizes: readonly number[]): ReadonlyMap<string, number> {
  const batchOf = new Map<string, number>();
  let batch = 0;
  let left = sizes[0] ?? Number.POSITIVE_INFINITY;
  for (const host of hosts) {
    if (left === 0) {
      batch++;
      left = sizes[Math.min(batch, sizes.length - 1)]!;
    }
    batchOf.set(host, batch);
    left--;
  }
  return batchOf;
}

class SettingReader {
  readonly #scope: Scope;
  readonly #hosts: number;
  readonly #problems: Problems;
  readonly #unknown: "error" | "passed";

  constructor(scope: Scope, hosts: number, problems: Problems, unknown: "error" | "passed" = "error") {
    this.#unknown = unknown;
    this.#scope = scope;
    this.#hosts = hosts;
    this.#problems = problems;
  }

  /** A size, or a list of sizes. */
  sizes(expression: Expression | undefined): readonly number[] {
    if (expression === undefined) return [1];
    const value = this.#evaluate(expression);
    if (value === undefined) return [1];
    if (isElements(value.data)) {
      return value.data.length === 0
        ? [this.#wrong(expression, amountForm, 1)]
        : value.data.map((element) => this.#amountOf(element, expression, 1));
    }
    return [this.#amountOf(value, expression, 1)];
  }

  amount(expression: Expression, least: number): number {
    const value = this.#evaluate(expression);
    return value === undefined ? least : this.#amountOf(value, expression, least);
  }

  /** @returns milliseconds */
  duration(expression: Expression): number {
    const value = this.#evaluate(expression);
    if (value === undefined) return 0;
    const duration = durationOf(value);
    if (duration === undefined) this.#problems.report(notADuration(expression));
    return duration ?? 0;
  }

  /** Undefined for null, which is as if nothing was written, and for what is wrong. */
  #evaluate(expression: Expression): Value | undefined {
    const { value, diagnostics } = evaluate(expression, this.#scope);
    if (!this.#problems.reportAll(diagnostics) || value.data === null) return undefined;
    if (isWhollyKnown(value)) return value;
    if (this.#unknown === "error") this.#wrong(expression, "It must be known while planning.", 0);
    return undefined;
  }

  /** A number of hosts, or a share of the circuit's. */
  #amountOf({ data }: Value, expression: Expression, least: number): number {
    const share = typeof data === "string" ? /^(\d+(?:\.\d+)?)%$/.exec(data) : null;
    if (share !== null && Number(share[1]) <= 100)
      return Math.max(least, Math.floor((this.#hosts * Number(share[1])) / 100));
    const number =
      typeof data === "string" ? Number(data || Number.NaN) : (data as BigFloat | null)?.toNumber?.();
    return number !== undefined && Number.isInteger(number) && number >= least
      ? number
      : this.#wrong(expression, amountForm, least);
  }

  #wrong(range: Expression, form: string, instead: number): number {
    this.#problems.report(
      errorDiagnostic("This cannot be how a circuit goes through its hosts", form, { range }),
    );
    return instead;
  }
}

const amountForm = 'It must be a number of hosts, or a share of them such as "25%".';
const durationForm = 'It must be a time such as "500ms", "30s", "5m" or "1h".';

const units = { "": 1000, ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `"500ms"`, `"30s"`, `"5m"`, `"1h"`, or a number of seconds. @returns milliseconds; undefined for anything else */
export function durationOf({ data }: Value): number | undefined {
  const text = typeof data === "string" ? data : (data as BigFloat | null)?.toNumber?.().toString();
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text ?? "") ?? [];
  return number === undefined ? undefined : Number(number) * units[unit as keyof typeof units];
}

/** The error for a duration in another form. */
export const notADuration = (range: Expression): Diagnostic =>
  errorDiagnostic("This is not a time", durationForm, { range });
