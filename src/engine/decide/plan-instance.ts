/**
 * @module Decides about one instance: asks the provider as core does, and adds what only the engine knows.
 */
import type { PlanRequest, PlanResponse, Provider } from "../../core/provider.ts";
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Decision, DependencyChange, Reason } from "../../revision/decision.ts";
import { valuesEqual } from "../../values/equal.ts";
import { containsMark, type MarkedPath, unmarkDeep } from "../../values/marks.ts";
import { at } from "../../values/path.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import type { LoadedResource, LoadedType } from "../load/load.ts";
import type { Problems } from "../load/problems.ts";
import type { Access } from "../load/resource-values.ts";
import type { Self } from "../load/self.ts";
import { sensitiveIn } from "../load/sensitive-places.ts";
import type { Subject } from "../load/subject.ts";
import type { World } from "../load/world.ts";
import type { InstanceKey } from "../plan.ts";
import { withStored } from "./ignored-changes.ts";
import { failedPostconditions, failedPreconditions } from "./instance-conditions.ts";
import { concerned, reporter } from "./instance-reporter.ts";
import { leftBehind } from "./moved-host.ts";
import { destroyPrevented } from "./plan-delete.ts";
import { markedObject, type PlannedInstance } from "./planned-instance.ts";
import type { Refreshed } from "./refresh.ts";
import { type Share, withSharedLogin } from "./shared-values.ts";
import { withoutSecrets } from "./without-secrets.ts";

export interface InstanceToPlan {
  readonly loaded: LoadedResource;
  readonly subject: Subject;
  readonly key: InstanceKey;
  readonly self: Self;
  /** What is stored of it. */
  readonly refreshed: Refreshed | undefined;
  /** What a run that was cut off had begun to make of it. */
  readonly begun: Refreshed | undefined;
  /** Whether a run was cut off that had begun to change what is stored. */
  readonly unsettled: boolean;
  /** Why it is replaced whatever it is like, if it is there: that was asked for, or a trigger changes. */
  readonly replacing: Reason | undefined;
  /** Keeps logins of hosts that are equal once. */
  readonly share: Share;
  /** What of all that was planned so far changes and is referred to. */
  readonly dependencies: (
    referring: Pick<PlannedInstance, "accesses" | "subject">,
  ) => readonly DependencyChange[];
}

/** @returns undefined when there were errors */
export async function planInstance(
  instance: InstanceToPlan,
  world: World,
  provider: Provider,
  problems: Problems,
): Promise<PlannedInstance | undefined> {
  const { loaded, subject, key, self, refreshed } = instance;
  const { type, resource } = loaded;
  const report = reporter(problems, subject, resource.body, resource.range);
  // Their place is the same for all instances, and need not say whose it is.
  const ofThis = (said: readonly Diagnostic[]) => said.map((one) => ({ ...concerned(subject), ...one }));
  if (!report(ofThis(failedPreconditions(loaded, self, world)))) return undefined;
  const accesses: Access[] = [];
  const configured = configuredObject(instance, world, accesses, report);
  if (configured === undefined) return undefined;
  const { marks } = configured;
  const existing = refreshed === undefined || isNull(refreshed.object) ? undefined : refreshed;
  // What is to be made is kept; else the object that there is stands for it, and that shares its login already.
  const config =
    existing === undefined
      ? withSharedLogin(configured.config, subject.host, instance.share)
      : configured.config;
  const hide = (said: readonly Diagnostic[]) => withoutSecrets(said, config, marks);
  if (!report(hide(provider.validateResourceConfig(type.name, config)))) return undefined;

  const left = refreshed === undefined ? undefined : leftBehind(refreshed);
  if (left !== undefined) problems.report(left);
  const forced = existing && forcedReplacement(existing, instance.replacing);
  const priorPrivate = privateBefore(existing, instance.begun);
  const dependencies = existing === undefined ? [] : instance.dependencies({ accesses, subject });
  const { first, final } = await ask(
    provider,
    {
      type: type.name,
      config,
      prior: nullValue(config.type),
      priorPrivate,
      dependencies,
      sensitivePaths: marks.map(({ path }) => path),
    },
    existing,
    instance.unsettled,
    forced,
  );
  if (!report(hide(first.diagnostics)) || !report(hide(final.diagnostics))) return undefined;
  const decision = withDependencies(
    withOrder(
      { ...first.decision, ...verdict(first, existing, refreshed, forced) },
      loaded.createBeforeDestroy,
    ),
    dependencies,
  );
  if (decision.action === "replace" && loaded.lifecycle.preventDestroy) {
    report([destroyPrevented(subject, "replaced")]);
    return undefined;
  }
  const planned = decision.action === "none" ? existing!.object : final.planned;
  const allMarks = withMarksOfSchema(marks, type, planned);
  const object = markedObject(type, planned, allMarks);
  if (!report(ofThis(failedPostconditions(loaded, self, object, world)))) return undefined;
  return {
    subject,
    resource: resource.address,
    key,
    type,
    loaded,
    existing,
    priorPrivate,
    unsettled: instance.unsettled,
    self,
    // Where nothing is to be done the object that there is stands for everything: thousands of them are kept.
    ...(decision.action === "none"
      ? { config: existing!.object, planned: existing!.object }
      : { config, planned }),
    plannedPrivate: final.private,
    marks: allMarks,
    decision,
    accesses,
    ...(existing === undefined && final.unseen ? { unseen: true } : {}),
  };
}

/** Most have no marks of their own: they share those of their type. */
function withMarksOfSchema(
  marks: readonly MarkedPath[],
  type: LoadedType,
  object: Value,
): readonly MarkedPath[] {
  const said = sensitiveIn(type, object);
  return marks.length === 0 ? said : [...marks, ...said];
}

/** What the run is not about: it stays as it is stored. Undefined for what is not stored. */
export function leftAlone({
  loaded,
  subject,
  key,
  self,
  refreshed,
}: InstanceToPlan): PlannedInstance | undefined {
  if (refreshed === undefined) return undefined;
  const { object, marks } = refreshed;
  return {
    subject,
    resource: loaded.resource.address,
    key,
    type: loaded.type,
    loaded,
    existing: refreshed,
    priorPrivate: refreshed.private,
    unsettled: false,
    self,
    config: object,
    planned: object,
    plannedPrivate: refreshed.private,
    marks,
    decision: { action: "none", reasons: [], edits: [], drift: [], requiresReplace: [] },
    accesses: [],
  };
}

/** The configured object without its marks, and these. Undefined when it could not be evaluated. */
export function configuredObject(
  { loaded, self, refreshed }: Pick<InstanceToPlan, "loaded" | "self" | "refreshed">,
  world: World,
  accesses: Access[],
  report: (diagnostics: readonly Diagnostic[]) => boolean,
) {
  const said: Diagnostic[] = [];
  const value = loaded.decoder.decode(world.scope(self, accesses, loaded.module), (diagnostic) =>
    said.push(diagnostic),
  );
  if (!report(said)) return undefined;
  const { value: plain, paths } = containsMark(value, "sensitive") ? unmarkDeep(value) : { value, paths: [] };
  return { config: withIgnored(loaded, plain, refreshed), marks: paths };
}

/** The configured object with the stored values of what `ignore_changes` names. */
function withIgnored(
  { lifecycle, type }: LoadedResource,
  config: Value,
  refreshed: Refreshed | undefined,
): Value {
  const { ignoreChanges } = lifecycle;
  if (ignoreChanges.length === 0 || refreshed === undefined || isNull(refreshed.object)) return config;
  // What failed to be made is made as configured.
  if (refreshed.stored.tainted) return config;
  return withStored(type.schema, config, refreshed.object, ignoreChanges);
}

interface Answers {
  /** About the object that there is. */
  readonly first: PlanResponse;
  /** Of a replacement what it makes, as if there was nothing; otherwise the first. */
  readonly final: PlanResponse;
}

/** What was begun and is on its host is not taken for somebody else's when it is made now. */
function privateBefore(existing: Refreshed | undefined, begun: Refreshed | undefined): Uint8Array {
  if (existing !== undefined) return existing.private;
  return begun === undefined || isNull(begun.object) ? new Uint8Array() : begun.private;
}

/** Asks about the object that there is, unless that is to be replaced anyway. */
async function ask(
  provider: Provider,
  asNew: PlanRequest,
  existing: Refreshed | undefined,
  unsettled: boolean,
  forced: Reason | undefined,
): Promise<Answers> {
  if (existing === undefined || forced !== undefined) {
    const answer = await provider.planResource(asNew);
    return { first: answer, final: answer };
  }
  const first = await provider.planResource({ ...asNew, prior: existing.object, unsettled });
  const replaces = first.requiresReplace.length > 0 && !hasErrors(first.diagnostics);
  return { first, final: replaces ? await provider.planResource(asNew) : first };
}

/** As core: a trigger says more than a failure, and that more than what was asked for. */
function forcedReplacement({ stored }: Refreshed, replacing: Reason | undefined): Reason | undefined {
  const isTriggered = replacing !== undefined && replacing.kind !== "requested";
  return stored.tainted && !isTriggered ? { kind: "last_apply_failed" } : replacing;
}

const withOrder = (decision: Decision, createBeforeDestroy: boolean): Decision =>
  decision.action === "replace" && createBeforeDestroy ? { ...decision, createFirst: true } : decision;

const withDependencies = (decision: Decision, dependencies: readonly DependencyChange[]): Decision =>
  dependencies.length === 0 || decision.action === "none" ? decision : { ...decision, dependencies };

/** The action that follows from the provider's answer, and reasons that it cannot know. */
function verdict(
  { planned, requiresReplace, decision: { reasons } }: PlanResponse,
  existing: Refreshed | undefined,
  refreshed: Refreshed | undefined,
  forced: Reason | undefined,
): Pick<Decision, "action" | "reasons"> {
  if (existing === undefined) {
    return { action: "create", reasons: refreshed === undefined ? reasons : [absence(refreshed)] };
  }
  if (forced !== undefined) return { action: "replace", reasons: [forced] };
  if (requiresReplace.length > 0) return { action: "replace", reasons };
  if (valuesEqual(planned, existing.object)) return { action: "none", reasons: [] };
  return { action: "update", reasons };
}

/** Why something stored is not where it is looked for. */
const absence = ({ movedFrom, rebuilt }: Refreshed): Reason =>
  movedFrom === undefined ? goneFrom(rebuilt) : { kind: "config", paths: [at("ssh", "address")] };

export const goneFrom = (rebuilt: true | undefined): Reason =>
  rebuilt ? { kind: "gone", rebuilt } : { kind: "gone" };
