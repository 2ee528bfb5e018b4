/**
 * @module The plan of one instance once everything that it refers to is known (A1 to A3).
 */
import type { PlanResponse, Provider } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { contradiction } from "../../revision/agreement.ts";
import type { PropertyChange } from "../../revision/decision.ts";
import { sensitiveIn } from "../../schema/sensitive-parts.ts";
import { valuesEqual } from "../../values/equal.ts";
import type { MarkedPath } from "../../values/marks.ts";
import { formatPath } from "../../values/path.ts";
import { nullValue, type Value } from "../../values/value.ts";
import { getPath, isWhollyKnown } from "../../values/walk.ts";
import { configuredObject } from "../decide/plan-instance.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Self } from "../evaluate/names/self.ts";
import type { World } from "../evaluate/names/world.ts";
import { withoutSecrets } from "../evaluate/without-secrets.ts";

export interface FinalPlan {
  readonly config: Value;
  readonly planned: Value;
  readonly plannedPrivate: Uint8Array;
  readonly marks: readonly MarkedPath[];
  /** Edits with the values of now. Those that were unknown while planning are always among them. */
  readonly edits: readonly PropertyChange[];
  /** An update that turned out to change nothing. */
  readonly nothingLeft: boolean;
}

export type FinalPlanResult =
  | { readonly kind: "plan"; readonly plan: FinalPlan; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "failed"; readonly diagnostics: readonly Diagnostic[] };

/** @param self with the values of now: a `for_each` may have had unknown values while planning */
export async function finalPlan(
  instance: PlannedInstance,
  self: Self,
  world: World,
  provider: Provider,
): Promise<FinalPlanResult> {
  const { config, planned, plannedPrivate, marks, decision } = instance;
  if (isWhollyKnown(config)) {
    const plan = { config, planned, plannedPrivate, marks, edits: decision.edits, nothingLeft: false };
    return { kind: "plan", plan, diagnostics: [] };
  }
  const known = knownConfig(instance, self, world, provider);
  if (known.kind === "failed") return known;
  const response = await planAgain(instance, known, provider);
  const hidden = withoutSecrets(response.diagnostics, known.config, known.marks);
  const diagnostics = [...known.diagnostics, ...hidden];
  const nothingLeft =
    decision.action === "update" && valuesEqual(response.planned, instance.existing!.object);
  const problem = hasErrors(hidden) ? [] : disagreement(instance, response, nothingLeft);
  if (hasErrors(hidden) || problem.length > 0)
    return { kind: "failed", diagnostics: [...diagnostics, ...problem] };
  return {
    kind: "plan",
    diagnostics,
    plan: {
      config: known.config,
      planned: response.planned,
      plannedPrivate: response.private,
      marks: [...known.marks, ...sensitiveIn(instance.type, response.planned)],
      edits: [...response.decision.edits, ...unlisted(decision.edits, response)],
      nothingLeft,
    },
  };
}

interface KnownConfig {
  readonly kind: "config";
  readonly config: Value;
  /** Its sensitive paths. */
  readonly marks: readonly MarkedPath[];
  readonly diagnostics: readonly Diagnostic[];
}

type Failed = Extract<FinalPlanResult, { readonly kind: "failed" }>;

/** The configured object, evaluated again: now it has to be wholly known and valid. */
function knownConfig(
  { loaded, existing, subject, type }: PlannedInstance,
  self: Self,
  world: World,
  provider: Provider,
): KnownConfig | Failed {
  const said: Diagnostic[] = [];
  const configured = configuredObject({ loaded: loaded!, self, refreshed: existing }, world, [], (found) => {
    said.push(...found);
    return !hasErrors(found);
  });
  if (configured === undefined) return { kind: "failed", diagnostics: said };
  const { config, marks } = configured;
  if (!isWhollyKnown(config))
    return { kind: "failed", diagnostics: [...said, stillUnknown(subject.address)] };
  const invalid = withoutSecrets(provider.validateResourceConfig(type.name, config), config, marks);
  return hasErrors(invalid)
    ? { kind: "failed", diagnostics: [...said, ...invalid] }
    : { kind: "config", config, marks, diagnostics: said };
}

function planAgain(
  { type, decision, existing, priorPrivate, unsettled }: PlannedInstance,
  { config, marks }: KnownConfig,
  provider: Provider,
): Promise<PlanResponse> {
  const updates = decision.action === "update";
  return provider.planResource({
    type: type.name,
    config,
    prior: updates ? existing!.object : nullValue(type.objectType),
    priorPrivate,
    unsettled: updates && unsettled,
    dependencies: decision.dependencies ?? [],
    sensitivePaths: marks.map(({ path }) => path),
  });
}

/** Errors when the answer does not agree with the plan. */
function disagreement(
  { subject, planned, decision }: PlannedInstance,
  response: PlanResponse,
  nothingLeft: boolean,
): readonly Diagnostic[] {
  if (decision.action === "update" && response.requiresReplace.length > 0)
    return [mustBeReplaced(subject.address)];
  const found = contradiction(planned, response.planned);
  return found === undefined || nothingLeft ? [] : [contradicted(subject.address, formatPath(found))];
}

/** Edits of the plan that the answer does not have, because the value turned out to be the same (X5). */
function unlisted(
  edits: readonly PropertyChange[],
  { planned, decision }: PlanResponse,
): readonly PropertyChange[] {
  const listed = new Set(decision.edits.map(({ path }) => formatPath(path)));
  return edits
    .filter(({ path }) => !listed.has(formatPath(path)))
    .map(({ path, before }) => ({ path, before, after: getPath(planned, path) }));
}

const stillUnknown = (address: string): Diagnostic =>
  errorDiagnostic(
    "Something that it refers to is not known",
    `${address} was not done: what it refers to did not get a value in this run.`,
  );

const mustBeReplaced = (address: string): Diagnostic =>
  errorDiagnostic(
    "Plan does not hold any more",
    `${address} was to be updated. Now that all it refers to is known, it must be replaced. Plan again.`,
  );

const contradicted = (address: string, found: string): Diagnostic =>
  errorDiagnostic(
    "Plan does not hold any more",
    `${address}: now that all it refers to is known, ${found === "" ? "it" : found} is not what the plan said. Plan again.`,
  );
