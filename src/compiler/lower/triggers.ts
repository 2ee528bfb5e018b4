/**
 * @module What a handler watches (C7): the revisions of the steps that notify it on the same host,
 * and whether any of them is there.
 */
import type { Expression } from "../../hcl/tree.ts";
import type { CircuitDeclaration, HandlerDeclaration, StepDeclaration } from "../declare/declaration.ts";
import { buildAt } from "./build.ts";
import { watchedInstances } from "./step-instances.ts";

/**
 * `conn3x_file.web__config[each.key].revision`; for a step with keys of its own a map of its instances' revisions by
 * instance key.
 *
 * @returns undefined when the step has no usable kind
 */
export function triggerEntry(
  circuit: CircuitDeclaration,
  step: StepDeclaration,
  handler: HandlerDeclaration,
): Expression | undefined {
  return watchedInstances(step, { circuit }, buildAt(notificationOf(step, handler)))?.revisions;
}

/**
 * Whether any of the steps is, or has been, in effect on the host `each.key`: otherwise nothing notifies the handler
 * there. One whose `when` has turned false counts, since what it had made was removed by then.
 *
 * @returns undefined when that is certain: one of them is on every host, without a `when`
 */
export function handlerCondition(
  circuit: CircuitDeclaration,
  steps: readonly StepDeclaration[],
  handler: HandlerDeclaration,
): Expression | undefined {
  const build = buildAt(handler.nameRange);
  if (steps.length === 0) return build.keyword(false);
  if (steps.some((step) => step.when === undefined && !mayBeMissing(step))) return undefined;
  const conditions = steps.flatMap((step) => applies(circuit, step, handler) ?? []);
  return conditions.length > 1 ? build.call("anytrue", build.tuple(conditions)) : conditions[0];
}

/** Whether a host may have no instance of it. */
const mayBeMissing = ({ forEach, runOnce }: StepDeclaration): boolean => forEach !== undefined || runOnce;

function applies(
  circuit: CircuitDeclaration,
  step: StepDeclaration,
  handler: HandlerDeclaration,
): Expression | undefined {
  const watched = watchedInstances(step, { circuit }, buildAt(notificationOf(step, handler)));
  return step.when === undefined ? (watched?.present ?? watched?.applied) : watched?.applied;
}

const notificationOf = (step: StepDeclaration, handler: HandlerDeclaration) =>
  step.notify.find((one) => one.handler === handler.name)?.range ?? step.nameRange;
