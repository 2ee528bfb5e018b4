/**
 * @module The plan of one instance once everything that it refers to is known (A1 to A3).
 */
import type { PlanResponse, Provider } from "../../core/provider.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { contradiction } from "../../revision/agreement.ts";
import type { PropertyChange } from "../../revision/decision.ts";
import { valuesEqual } from "../../values/equal.ts";
import type { MarkedPath } from "../../values/marks.ts";
import { formatPath } from "../../values/path.ts";
import { nullValue, type Value } from "../../values/value.ts";
import { getPath, isWhollyKnown } from "../../values/walk.ts";
import { configuredObject } from "../decide/plan-instance.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import { withoutSecrets } from "../decide/without-secrets.ts";
import type { Self } from "../load/self.ts";
import { sensitiveIn } from "../load/sensitive-places.ts";
import type { World } from "../load/world.ts";

export interface FinalPlan {
  readonly config: Value;
  readonly planned: Value;
  readonly plannedPrivate: Uint8Array;
  readonly marks: readonly MarkedPath[];
  /** What was edited, by the values that there are now. What was not known while deciding is in it whatever it is. */
  readonly edits: readonly PropertyChange[];
  /** An update that turned out to change nothing. */
  readonly nothingLeft: boolean;
}

export type FinalPlanResult =
  | { readonly kind: "plan"; readonly plan: FinalPlan; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "failed"; readonly diagnostics: readonly Diagnostic[] };

/**
 * @param self as it is now: a `for_each` may have had values that were not known while planning
 */
export async function finalPlan(
  instance: PlannedInstance,
  self: Self,
  world: World,
  provider: Provider,
): Promise<FinalPlanResult> {
  const { config, planned, plannedPrivate, marks, existing, loaded, type, decision, subject } = instance;
  if (isWhollyKnown(config)) {
    return {
      kind: "plan",
      plan: { config, planned, plannedPrivate, marks, edits: decision.edits, nothingLeft: false },
      diagnostics: [],
    };
  }
  const said: Diagnostic[] = [];
  const configured = configuredObject(
    { loaded: loaded!, self, refreshed: existing },
    world,
    [],
    (diagnostics) => {
      said.push(...diagnostics);
      return !hasErrors(diagnostics);
    },
  );
  if (configured === undefined) return { kind: "failed", diagnostics: said };
  if (!isWhollyKnown(configured.config))
    return { kind: "failed", diagnostics: [...said, stillUnknown(subject.address)] };
  const hide = (found: readonly Diagnostic[]) => withoutSecrets(found, configured.config, configured.marks);
  const invalid = hide(provider.validateResourceConfig(type.name, configured.config));
  if (hasErrors(invalid)) return { kind: "failed", diagnostics: [...said, ...invalid] };

  const updates = decision.action === "update";
  const response = await provider.planResource({
    type: type.name,
    config: configured.config,
    prior: updates ? existing!.object : nullValue(type.objectType),
    priorPrivate: instance.priorPrivate,
    unsettled: updates && instance.unsettled,
    dependencies: decision.dependencies ?? [],
    sensitivePaths: configured.marks.map(({ path }) => path),
  });
  const diagnostics = [...said, ...hide(response.diagnostics)];
  if (hasErrors(response.diagnostics)) return { kind: "failed", diagnostics };
  if (updates && response.requiresReplace.length > 0) {
    return { kind: "failed", diagnostics: [...diagnostics, mustBeReplaced(subject.address)] };
  }
  const place = contradiction(planned, response.planned);
  const nothingLeft = updates && valuesEqual(response.planned, existing!.object);
  if (place !== undefined && !nothingLeft) {
    return {
      kind: "failed",
      diagnostics: [...diagnostics, contradicted(subject.address, formatPath(place))],
    };
  }
  return {
    kind: "plan",
    diagnostics,
    plan: {
      config: configured.config,
      planned: response.planned,
      plannedPrivate: response.private,
      marks: [...configured.marks, ...sensitiveIn(type, response.planned)],
      edits: [...response.decision.edits, ...unlisted(decision.edits, response)],
      nothingLeft,
    },
  };
}

/** What was listed while deciding and is not any more, since it turned out as it was (X5). */
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

const contradicted = (address: string, place: string): Diagnostic =>
  errorDiagnostic(
    "Plan does not hold any more",
    `${address}: now that all it refers to is known, ${place === "" ? "it" : place} is not what the plan said. Plan again.`,
  );
