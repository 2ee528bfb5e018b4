/**
 * @module Plans one instance: asks the provider as OpenTofu's core does, and adds what only the engine knows.
 */

import { type PlanRequest, type PlanResponse, type Provider, wantedSettings } from "../../core/index.ts";
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Decision, DependencyChange, Reason } from "../../revision/decision.ts";
import { sensitiveIn } from "../../schema/sensitive-parts.ts";
import type { InstanceKey } from "../../values/address.ts";
import { valuesEqual } from "../../values/equal.ts";
import { containsHidden, type MarkedPath, unmarkDeep } from "../../values/marks.ts";
import { at } from "../../values/path.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import type { LoadedResource, LoadedType } from "../evaluate/load.ts";
import type { Self } from "../evaluate/names/self.ts";
import type { World } from "../evaluate/names/world.ts";
import type { Problems } from "../evaluate/problems.ts";
import type { Access } from "../evaluate/resources/resource-values.ts";
import type { Subject } from "../evaluate/resources/subject.ts";
import { withoutSecrets } from "../evaluate/without-secrets.ts";
import {
  plannedResult,
  problemsIn,
  unmetPostconditions,
  unmetPreconditions,
} from "./checks/instance-conditions.ts";
import { withStored } from "./ignored-changes.ts";
import { concerned, reporter } from "./instance-reporter.ts";
import { type Share, withSharedLogin } from "./objects/shared-values.ts";
import { markedObject, type PlannedInstance } from "./planned-instance.ts";
import { leftBehind } from "./stored/moved-host.ts";
import { destroyPrevented } from "./stored/plan-delete.ts";
import type { Refreshed } from "./stored/refresh.ts";

export interface InstanceToPlan {
  readonly loaded: LoadedResource;
  readonly subject: Subject;
  readonly key: InstanceKey;
  readonly self: Self;
  /** The stored instance as it was read from its host. */
  readonly refreshed: Refreshed | undefined;
  /** What an interrupted run had begun to create. */
  readonly begun: Refreshed | undefined;
  /** Whether an interrupted run had begun to change the stored object. */
  readonly unsettled: boolean;
  /** Why an existing object is replaced in any case: `-replace`, or a changed trigger. */
  readonly replacing: Reason | undefined;
  /** Keeps equal logins once for all instances. */
  readonly share: Share;
  /** The planned changes of instances that this one refers to. */
  readonly dependencies: (
    referring: Pick<PlannedInstance, "accesses" | "subject">,
  ) => readonly DependencyChange[];
}

/** @returns undefined when there were errors, which were reported */
export async function planInstance(
  instance: InstanceToPlan,
  world: World,
  provider: Provider,
  problems: Problems,
): Promise<PlannedInstance | undefined> {
  const { loaded, subject, self, refreshed } = instance;
  const { type, resource } = loaded;
  const report = reporter(problems, subject, resource.body, resource.range);
  // Conditions have one location for all instances, so each diagnostic names the instance.
  const ofThis = (said: readonly Diagnostic[]) => said.map((one) => ({ ...concerned(subject), ...one }));
  const before = unmetPreconditions(loaded, self, world);
  if (!report(ofThis(problemsIn(before)))) return undefined;
  const accesses: Access[] = [];
  const configured = configuredObject(instance, world, accesses, report);
  if (configured === undefined) return undefined;
  const { marks } = configured;
  const existing = refreshed === undefined || isNull(refreshed.object) ? undefined : refreshed;
  // A new object is kept in the plan; for an existing one the stored object is, and that shares its login already.
  const config =
    existing === undefined
      ? withSharedLogin(configured.config, subject.host, instance.share)
      : configured.config;
  const hide = (said: readonly Diagnostic[]) => withoutSecrets(said, config, marks);
  if (!report(hide(provider.validateResourceConfig(type.name, config)))) return undefined;

  const left = refreshed === undefined ? undefined : leftBehind(refreshed);
  if (left !== undefined) problems.report(left);
  const dependencies = existing === undefined ? [] : instance.dependencies({ accesses, subject });
  const asked = await ask(provider, { instance, config, marks, existing, dependencies });
  if (!report(hide(asked.first.diagnostics)) || !report(hide(asked.final.diagnostics))) return undefined;
  const decision = decisionOf(asked, instance, existing, dependencies);
  if (decision.action === "replace" && loaded.lifecycle.preventDestroy) {
    report([destroyPrevented(subject, "replaced")]);
    return undefined;
  }
  const planned = plannedFrom(asked, { instance, config, marks, existing, decision, accesses });
  const object = markedObject(type, planned.planned, planned.marks);
  const after = unmetPostconditions(loaded, self, object, world);
  if (!report(ofThis(problemsIn(after)))) return undefined;
  const conditions = plannedResult(loaded, subject.address, [...before, ...after]);
  return conditions === undefined ? planned : { ...planned, conditions };
}

/** What is known of an instance before the provider is asked about it. */
interface Configured {
  readonly instance: InstanceToPlan;
  readonly config: Value;
  /** Sensitive paths of `config`. */
  readonly marks: readonly MarkedPath[];
  /** Undefined when there is no object. */
  readonly existing: Refreshed | undefined;
}

function plannedFrom(
  { final }: Answers,
  {
    instance,
    config,
    marks,
    existing,
    decision,
    accesses,
  }: Configured & Pick<PlannedInstance, "decision" | "accesses">,
): PlannedInstance {
  const { loaded, subject, key, self, begun, unsettled } = instance;
  const { type, resource } = loaded;
  // Where nothing is to be done the stored object stands for everything: thousands of them are kept.
  const unchanged = decision.action === "none" ? existing!.object : undefined;
  const planned = unchanged ?? final.planned;
  const realNames = final.realNames ?? existing?.realNames;
  return {
    subject,
    resource: resource.address,
    key,
    type,
    loaded,
    existing,
    priorPrivate: privateBefore(existing, begun),
    unsettled,
    self,
    config: unchanged ?? config,
    planned,
    plannedPrivate: final.private,
    marks: withMarksOfSchema(marks, type, planned),
    decision,
    accesses,
    wanted: wantedSettings(type.schema, config),
    ...(realNames === undefined ? {} : { realNames }),
    ...(existing === undefined && final.unseen ? { unseen: true } : {}),
  };
}

/** The instance's marks and those of its schema. Most instances have none of their own and share the type's. */
function withMarksOfSchema(
  marks: readonly MarkedPath[],
  type: LoadedType,
  object: Value,
): readonly MarkedPath[] {
  const said = sensitiveIn(type, object);
  return marks.length === 0 ? said : [...marks, ...said];
}

/** An instance that the run leaves out: it stays as it is stored. Undefined when it is not stored. */
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

/** The configured object without marks, and the marks. Undefined when it could not be evaluated. */
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
  const { value: plain, paths } = containsHidden(value) ? unmarkDeep(value) : { value, paths: [] };
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
  // A tainted object is replaced by one that is as configured.
  if (refreshed.stored.tainted) return config;
  return withStored(type.schema, config, refreshed.object, ignoreChanges);
}

interface Answers {
  /** About the existing object. */
  readonly first: PlanResponse;
  /** For a replacement the answer about a new object; otherwise `first`. */
  readonly final: PlanResponse;
}

/** With the private data of an interrupted create, its object is not taken for somebody else's. */
function privateBefore(existing: Refreshed | undefined, begun: Refreshed | undefined): Uint8Array {
  if (existing !== undefined) return existing.private;
  return begun === undefined || isNull(begun.object) ? new Uint8Array() : begun.private;
}

/** Asks about the existing object, and about a new one where it is replaced. */
async function ask(
  provider: Provider,
  {
    instance,
    config,
    marks,
    existing,
    dependencies,
  }: Configured & { readonly dependencies: readonly DependencyChange[] },
): Promise<Answers> {
  const asNew: PlanRequest = {
    type: instance.loaded.type.name,
    config,
    prior: nullValue(config.type),
    priorPrivate: privateBefore(existing, instance.begun),
    dependencies,
    sensitivePaths: marks.map(({ path }) => path),
  };
  if (existing === undefined || forcedReplacement(existing, instance.replacing) !== undefined) {
    const answer = await provider.planResource(asNew);
    return { first: answer, final: answer };
  }
  const { unsettled } = instance;
  const first = await provider.planResource({ ...asNew, prior: existing.object, unsettled });
  const replaces = first.requiresReplace.length > 0 && !hasErrors(first.diagnostics);
  return { first, final: replaces ? await provider.planResource(asNew) : first };
}

/** The reason that says most, as in OpenTofu's core: a trigger, then a failure, then a request. */
function forcedReplacement({ stored }: Refreshed, replacing: Reason | undefined): Reason | undefined {
  const isTriggered = replacing !== undefined && replacing.kind !== "requested";
  return stored.tainted && !isTriggered ? { kind: "last_apply_failed" } : replacing;
}

/** The provider's decision, with what only the engine knows. */
function decisionOf(
  { first }: Answers,
  { loaded, refreshed, replacing }: InstanceToPlan,
  existing: Refreshed | undefined,
  dependencies: readonly DependencyChange[],
): Decision {
  const forced = existing && forcedReplacement(existing, replacing);
  const decision = { ...first.decision, ...verdict(first, existing, refreshed, forced) };
  const { action } = decision;
  return {
    ...decision,
    ...(action === "replace" && loaded.createBeforeDestroy ? { createFirst: true } : {}),
    ...(dependencies.length === 0 || action === "none" ? {} : { dependencies }),
  };
}

/** The action that follows from the provider's answer, with reasons that the provider cannot know. */
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

/** Why a stored object was not found. */
const absence = ({ movedFrom, rebuilt }: Refreshed): Reason =>
  movedFrom === undefined ? goneFrom(rebuilt) : { kind: "config", paths: [at("ssh", "address")] };

export const goneFrom = (rebuilt: true | undefined): Reason =>
  rebuilt ? { kind: "gone", rebuilt } : { kind: "gone" };
