/**
 * @module Decides about one instance: asks the provider as core does, and adds what only the engine knows.
 */
import type { PlanResponse, Provider } from "../../core/provider.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Body } from "../../hcl/tree.ts";
import type { Action, Decision, Reason } from "../../revision/decision.ts";
import { isConfigurable } from "../../schema/schema.ts";
import { valuesEqual } from "../../values/equal.ts";
import { containsMark, unmarkDeep } from "../../values/marks.ts";
import type { Path } from "../../values/path.ts";
import { isNull, nullValue, objectValue, type Value } from "../../values/value.ts";
import type { LoadedResource } from "../load/load.ts";
import type { Problems } from "../load/problems.ts";
import type { Subject } from "../load/subject.ts";
import type { Access, Self, World } from "../load/world.ts";
import type { InstanceKey } from "../plan.ts";
import type { PlannedInstance } from "./planned-instance.ts";
import type { Refreshed } from "./refresh.ts";

export interface InstanceToPlan {
  readonly loaded: LoadedResource;
  readonly subject: Subject;
  readonly key: InstanceKey;
  readonly self: Self;
  /** What is stored of it. */
  readonly refreshed: Refreshed | undefined;
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
  const accesses: Access[] = [];
  const configured = configuredObject(instance, world, accesses, report);
  if (configured === undefined) return undefined;
  const { config, marks } = configured;
  if (!report(provider.validateResourceConfig(type.name, config))) return undefined;

  const existing = refreshed === undefined || isNull(refreshed.object) ? undefined : refreshed;
  const response = await ask(provider, type.name, config, existing);
  if (!report(response.diagnostics)) return undefined;
  const decision = { ...response.decision, ...verdict(response, existing, refreshed) };
  const planned = await finalPlan(provider, type.name, config, existing, response, decision.action);
  if (!report(planned.diagnostics)) return undefined;
  if (decision.action === "replace" && loaded.lifecycle.preventDestroy) {
    report([destroyPrevented(subject, "replaced")]);
    return undefined;
  }
  return {
    subject,
    resource: resource.address,
    key,
    type,
    loaded,
    existing,
    self,
    config,
    planned: planned.planned,
    plannedPrivate: planned.private,
    marks: [...marks, ...type.sensitive],
    decision,
    accesses,
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
  const value = loaded.decoder.decode(world.scope(self, accesses), (diagnostic) => said.push(diagnostic));
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
  const stored = refreshed.object.data as ReadonlyMap<string, Value>;
  const entries = [...(config.data as ReadonlyMap<string, Value>)].map(([name, value]) => {
    const attribute = type.schema.attributes[name];
    const ignored =
      attribute !== undefined &&
      isConfigurable(attribute) &&
      (ignoreChanges === "all" || ignoreChanges.includes(name));
    return [name, ignored ? (stored.get(name) ?? value) : value] as const;
  });
  return objectValue(new Map(entries));
}

/** First question: with the object that there is, unless its last apply failed. */
function ask(
  provider: Provider,
  type: string,
  config: Value,
  existing: Refreshed | undefined,
): Promise<PlanResponse> {
  const keep = existing !== undefined && !existing.stored.tainted;
  return provider.planResource({
    type,
    config,
    prior: keep ? existing.object : nullValue(config.type),
    priorPrivate: existing?.private ?? new Uint8Array(),
  });
}

/** Second question: what a replacement makes, as if there was nothing. */
function finalPlan(
  provider: Provider,
  type: string,
  config: Value,
  existing: Refreshed | undefined,
  first: PlanResponse,
  action: Action,
): Promise<PlanResponse> | PlanResponse {
  if (action !== "replace" || existing === undefined || existing.stored.tainted) return first;
  return provider.planResource({
    type,
    config,
    prior: nullValue(config.type),
    priorPrivate: existing.private,
  });
}

/** The action that follows from the provider's answer, and reasons that it cannot know. */
function verdict(
  response: PlanResponse,
  existing: Refreshed | undefined,
  refreshed: Refreshed | undefined,
): Pick<Decision, "action" | "reasons"> {
  const { reasons } = response.decision;
  if (existing === undefined) {
    return { action: "create", reasons: refreshed === undefined ? reasons : [{ kind: "gone" }] };
  }
  if (existing.stored.tainted) return { action: "replace", reasons: [{ kind: "last_apply_failed" }] };
  if (response.requiresReplace.length > 0) return { action: "replace", reasons };
  if (valuesEqual(response.planned, existing.object)) return { action: "none", reasons: [] };
  return { action: "update", reasons };
}

/** Plans the end of an instance. */
export async function planDelete(
  refreshed: Refreshed,
  loaded: LoadedResource | undefined,
  reason: Reason,
  provider: Provider,
  problems: Problems,
): Promise<PlannedInstance | undefined> {
  const { subject, resource, key, type, object } = refreshed;
  const nothing = nullValue(object.type);
  const body = loaded?.resource.body;
  const report = reporter(problems, subject, body, loaded?.resource.range);
  if (loaded?.lifecycle.preventDestroy) {
    report([destroyPrevented(subject, "destroyed")]);
    return undefined;
  }
  const response = await provider.planResource({
    type: type.name,
    prior: object,
    config: nothing,
    priorPrivate: refreshed.private,
  });
  if (!report(response.diagnostics)) return undefined;
  return {
    subject,
    resource,
    key,
    type,
    loaded,
    existing: refreshed,
    self: {},
    config: nothing,
    planned: nothing,
    plannedPrivate: response.private,
    marks: [],
    decision: { ...response.decision, action: "delete", reasons: [reason] },
    accesses: [],
  };
}

/** Reports what concerns one instance: with the place in the configuration where there is one, else its address. */
export function reporter(
  problems: Problems,
  { address, host }: Subject,
  body: Body | undefined,
  owner: SourceRange | undefined,
): (diagnostics: readonly Diagnostic[]) => boolean {
  return (diagnostics) =>
    problems.reportAll(
      diagnostics.map((diagnostic) => {
        if (diagnostic.range !== undefined) return diagnostic;
        const range = body === undefined ? undefined : (rangeOf(body, diagnostic.attribute) ?? owner);
        return {
          address,
          ...(host === undefined ? {} : { host }),
          ...(range === undefined ? {} : { range }),
          ...diagnostic,
        };
      }),
    );
}

/** Where the configuration sets what a path names. */
function rangeOf(body: Body, path: Path | undefined): SourceRange | undefined {
  const [step, ...rest] = path ?? [];
  if (step === undefined || !("attribute" in step)) return undefined;
  for (const item of body.items) {
    if (item.kind === "attribute" && item.name === step.attribute) return item.expression;
    if (item.kind === "block" && item.type === step.attribute) return rangeOf(item.body, rest) ?? item.header;
  }
  return undefined;
}

const destroyPrevented = ({ address }: Subject, what: string): Diagnostic =>
  errorDiagnostic(
    "Instance must not be destroyed",
    `${address} would be ${what}, and its lifecycle has prevent_destroy set. Nothing was done.`,
  );
