/**
 * @module Whether `replace_triggered_by` replaces an instance: what it names is updated or replaced in this plan, and
 * where it names an attribute, that changes.
 */

import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import { evaluate } from "../../eval/evaluate.ts";
import type { Scope } from "../../eval/scope.ts";
import type { Reason } from "../../revision/decision.ts";
import { type InstanceKey, inModule, instanceAddress } from "../../values/address.ts";
import type { BigFloat } from "../../values/big-float.ts";
import { valuesEqual } from "../../values/equal.ts";
import { unmark } from "../../values/marks.ts";
import { compareText } from "../../values/set-order.ts";
import { getPath } from "../../values/walk.ts";
import type { LoadedResource } from "../evaluate/load.ts";
import type { Self } from "../evaluate/names/self.ts";
import type { ReplaceTrigger } from "../evaluate/resources/replace-triggers.ts";
import type { PlannedInstance } from "./planned-instance.ts";
import type { Planning } from "./planning.ts";

/**
 * @param self what `each` and `count` are for the instance
 * @returns why it is replaced, when it is there; undefined when nothing triggers that
 */
export function triggeredReplacement(
  { lifecycle, module }: Pick<LoadedResource, "lifecycle" | "module">,
  self: Self,
  { planned, world }: Pick<Planning, "planned" | "world">,
  report: Report,
): Reason | undefined {
  const found = lifecycle.replaceTriggeredBy.flatMap((trigger) => {
    const named = keyOf(trigger, world.scope(self, undefined, module), report);
    const resource = inModule(module.address, trigger.resource);
    return named === undefined
      ? []
      : triggering(trigger, instanceAddress(resource, named.key), planned.get(resource) ?? [], report);
  });
  if (found.length === 0) return undefined;
  const isReplaced = found.some(({ decision }) => decision.action === "replace");
  return {
    kind: isReplaced ? "dependency_replaced" : "dependency_updated",
    dependencies: [...new Set(found.map(({ subject }) => subject.address))].sort(compareText),
  };
}

/** The instances that the trigger names and whose change makes it fire. */
function triggering(
  { path, expression, key: written }: ReplaceTrigger,
  address: string,
  instances: readonly PlannedInstance[],
  report: Report,
): readonly PlannedInstance[] {
  const isOne = written !== undefined || path.length > 0;
  const meant = isOne ? instances.filter(({ subject }) => subject.address === address) : instances;
  if (isOne && meant.length === 0) {
    report(noInstance(address, expression));
    return [];
  }
  return meant.filter(({ decision: { action }, existing, planned }) => {
    if (action !== "update" && action !== "replace") return false;
    if (path.length === 0) return true;
    const [before, after] = [getPath(existing!.object, path), getPath(planned, path)];
    return before === undefined || after === undefined ? before !== after : !valuesEqual(before, after);
  });
}

/** Undefined, and said why, where it is none. */
function keyOf(
  { key, expression }: ReplaceTrigger,
  scope: Scope,
  report: Report,
): { readonly key: InstanceKey } | undefined {
  if (key === undefined) return { key };
  const { value, diagnostics } = evaluate(key, scope);
  for (const diagnostic of diagnostics) report(diagnostic);
  if (hasErrors(diagnostics)) return undefined;
  const { data } = unmark(value);
  const known = typeof data === "string" ? data : (data as BigFloat | null)?.toNumber?.();
  if (known !== undefined) return { key: known };
  report(noKey(expression));
  return undefined;
}

const noInstance = (address: string, range: ReplaceTrigger["expression"]): Diagnostic =>
  errorDiagnostic(
    "There is no such instance",
    `replace_triggered_by names ${address}, which is not in this plan. Where the resource has several instances, name one of them by its key.`,
    { range },
  );

const noKey = (range: ReplaceTrigger["expression"]): Diagnostic =>
  errorDiagnostic(
    "The instance is not known",
    "The key in replace_triggered_by must be a text or a number that is known when a plan is made.",
    { range },
  );
