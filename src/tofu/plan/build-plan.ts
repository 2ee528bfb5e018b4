/**
 * @module The engine's JSON plan as a plan of ours: the same instances and actions, with the reasons that the attached
 * provider had, or else those that the engine gives.
 * Source: https://opentofu.org/docs/internals/json-format/#plan-representation
 */

import type { Configuration } from "../../compiler/index.ts";
import type { ProviderSchema } from "../../core/index.ts";
import {
  movedFrom,
  type OutputChange,
  type Plan,
  type PlannedChange,
  withFollowing,
} from "../../engine/index.ts";
import { differences } from "../../revision/compare.ts";
import type { Decision, PropertyChange, Reason } from "../../revision/decision.ts";
import { schemaType } from "../../schema/schema.ts";
import { typeFromJson } from "../../values/json/json.ts";
import { isJsonArray, type Json } from "../../values/json/json-text.ts";
import { markPaths, unmarkDeep, withMark } from "../../values/marks.ts";
import { at, within } from "../../values/path.ts";
import { dynamicType, type Type } from "../../values/type.ts";
import { isNull, type Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";
import { arrayAt, fieldOf, type Json as JsonValue, keyAt, objectAt, textAt } from "../program/json.ts";
import type { ProviderLog } from "../provider/provider-log.ts";
import { decisionAbout, nothing, type PlannedAction } from "./decision.ts";
import { type ConfiguredOrder, withDependencies } from "./dependencies.ts";
import {
  actionsIn,
  checksIn,
  planTimeIn,
  priorInstances,
  storedResources,
  variablesIn,
} from "./plan-facts.ts";
import { type PlanValue, planValue, unknownSchema } from "./plan-values.ts";
import { isOurType, resourceOf, type Subjects } from "./subjects.ts";

export interface PlanSource {
  /** Configured resources by address, dependencies first. */
  readonly configured: ConfiguredOrder;
  readonly schema: ProviderSchema;
  readonly log: ProviderLog;
  readonly subjects: Subjects;
  readonly mode: Plan["mode"];
  /** The configuration of the root module. */
  readonly configuration: Pick<Configuration, "variables">;
}

/** @param json what `show -json` prints of a plan */
export function buildPlan(json: Json, source: PlanSource): Plan {
  const drifted = managed(json, "resource_drift");
  const gone = new Map(
    drifted
      .filter((change) => actionsOf(change) === "delete")
      .map((change) => [textAt(change, "address"), change]),
  );
  const resources = managed(json, "resource_changes");
  const kept = hostsKept(resources, source.subjects);
  const changes =
    source.mode === "refresh-only"
      ? [...drifted.map((change) => observed(change, source)), ...asStored(json, drifted, source)]
      : resources.flatMap((change) => {
          const action = actionFrom(actionsOf(change));
          return action === undefined ? [] : [plannedChange(change, action, { ...source, gone, kept })];
        });
  const prior = priorInstances(json);
  const withPrior = (change: PlannedChange): PlannedChange => {
    const stored = change.deposed === undefined ? prior.get(change.movedFrom ?? change.address) : undefined;
    return stored === undefined ? change : { ...change, prior: stored };
  };
  return {
    mode: source.mode,
    ...variablesIn(json, source.configuration),
    ...checksIn(json),
    ...planTimeIn(json),
    changes: withDependencies(inOrder(changes.map(withPrior), source.configured), source.configured),
    outputs: Object.entries(objectAt(json, "output_changes")).map(([name, change]) =>
      outputChange(name, change, json),
    ),
    diagnostics: [],
    stateChanged: drifted.some((change) => actionsOf(change) !== "no-op"),
  };
}

const managed = (json: Json, name: string): readonly Json[] =>
  arrayAt(json, name).filter((change) => textAt(change, "mode") === "managed");

const actionsOf = (change: Json): string => actionsIn(objectAt(change, "change"));

function actionFrom(actions: string): PlannedAction | undefined {
  switch (actions) {
    case "no-op":
      return "none";
    case "create":
    case "update":
    case "delete":
      return actions;
    case "forget":
      return "delete";
    case "delete,create":
    case "create,delete":
      return "replace";
    default:
      return undefined;
  }
}

/** A `removed` block that keeps the object: nothing is done, and the instance is not in the state any more. */
const isForgotten = (change: Json): boolean => actionsOf(change) === "forget";

interface Found extends PlanSource {
  /** Instances that were not there any more when they were read, by address. */
  readonly gone: ReadonlyMap<string | undefined, Json>;
  readonly kept: ReadonlySet<string>;
}

/** `RESOURCE HOST` of all instances that stay. */
function hostsKept(resources: readonly Json[], subjects: Subjects): ReadonlySet<string> {
  const staying = resources.filter((change) => actionFrom(actionsOf(change)) !== "delete").map(partsOf);
  return new Set(staying.map((parts) => `${resourceOf(parts)} ${subjects(parts).host}`));
}

function partsOf(change: Json) {
  const deposed = textAt(change, "deposed");
  const address = textAt(change, "address") ?? "";
  return {
    address,
    ...(deposed === undefined ? {} : { deposed }),
    type: textAt(change, "type") ?? "",
    name: textAt(change, "name") ?? "",
    key: keyAt(change, "index"),
  };
}

function plannedChange(json: Json, action: PlannedAction, found: Found): PlannedChange {
  const parts = partsOf(json);
  const subject = found.subjects(parts);
  const { before, after } = sidesOf(json, parts.type, found);
  const order = actionsOf(json) === "create,delete" ? { createFirst: true } : {};
  const previous = textAt(json, "previous_address");
  const importing = textAt(objectAt(objectAt(json, "change"), "importing"), "id");
  return {
    ...parts,
    ...subject,
    ...(previous === undefined ? {} : { movedFrom: previous }),
    ...(importing === undefined ? {} : { importing }),
    decision: {
      ...order,
      ...masked(
        decisionAbout(
          {
            action,
            before,
            after,
            type: parts.type,
            reason: parts.deposed === undefined ? textAt(json, "action_reason") : "deposed",
            replacePaths: pathsOf(json),
          },
          {
            log: found.log,
            destroys: found.mode === "destroy",
            gone: absence(found.gone.get(parts.address), after, parts.type, found),
            hostGoes: subject.host !== undefined && !found.kept.has(`${resourceOf(parts)} ${subject.host}`),
          },
        ),
        [before, after],
      ),
      ...(isForgotten(json) ? ({ keeps: "forgotten" } as const) : {}),
    },
    before,
    after,
  };
}

/** Why what is stored is not there any more: its host is configured to be elsewhere, or it is gone from that. */
function absence(gone: Json | undefined, after: Value, type: string, source: PlanSource): Reason | undefined {
  if (gone === undefined) return undefined;
  const stored = unmarkDeep(sidesOf(gone, type, source).before).value;
  const moved =
    !isNull(stored) && movedFrom(stored, getPath(unmarkDeep(after).value, at("ssh"))) !== undefined;
  return moved ? { kind: "config", paths: [at("ssh", "address")] } : { kind: "gone" };
}

/** The provider gave the values in a decision without marks: those of sensitive settings are hidden whole. */
function masked(decision: Decision, sides: readonly Value[]): Decision {
  const marks = sides.flatMap((side) => unmarkDeep(side).paths);
  if (marks.length === 0) return decision;
  const hide = (change: PropertyChange): PropertyChange => {
    const hidden = marks.some(({ path }) => within(path, change.path) || within(change.path, path));
    if (!hidden) return change;
    return { ...change, before: sensitive(change.before), after: sensitive(change.after) };
  };
  return { ...decision, edits: decision.edits.map(hide), drift: decision.drift.map(hide) };
}

const sensitive = (value: Value | undefined): Value | undefined => value && withMark(value, "sensitive");

/** What a read found, which is all that such a plan is about. */
function observed(json: Json, source: PlanSource): PlannedChange {
  const parts = partsOf(json);
  const { before, after } = sidesOf(json, parts.type, source);
  const gone = actionsOf(json) === "delete";
  const decision: Decision = {
    action: "none",
    reasons: [{ kind: gone ? "gone" : "drift" }],
    edits: [],
    drift: gone ? [] : differences(unmarkDeep(before).value, unmarkDeep(after).value),
    requiresReplace: [],
  };
  return {
    ...parts,
    ...source.subjects(parts),
    decision: masked(decision, [before, after]),
    before,
    after,
  };
}

/** What a read found as it was stored. */
function asStored(json: Json, drifted: readonly Json[], source: PlanSource): readonly PlannedChange[] {
  const others = new Set(drifted.map((change) => textAt(change, "address")));
  return storedResources(objectAt(objectAt(objectAt(json, "prior_state"), "values"), "root_module"))
    .filter((stored) => textAt(stored, "mode") === "managed" && !others.has(textAt(stored, "address")))
    .map((stored) => {
      const parts = partsOf(stored);
      const values = fieldOf(stored, "values");
      const before = sideOf(
        { known: values, sensitive: fieldOf(stored, "sensitive_values") },
        parts.type,
        source,
      );
      return { ...parts, ...source.subjects(parts), decision: nothing, before, after: before };
    });
}

function sidesOf(
  json: Json,
  type: string,
  source: PlanSource,
): { readonly before: Value; readonly after: Value } {
  const change = objectAt(json, "change");
  const before = sideOf({ known: change.before, sensitive: change.before_sensitive }, type, source);
  // The engine gives the same twice, and most of a fleet's instances are so.
  if (actionsOf(json) === "no-op") return { before, after: before };
  return {
    before,
    after: sideOf(
      { known: change.after, unknown: change.after_unknown, sensitive: change.after_sensitive },
      type,
      source,
    ),
  };
}

/** The object, with marks also on what gives a sensitive value away: the engine does not know of that. */
function sideOf(from: PlanValue, type: string, { schema }: PlanSource): Value {
  const resource = isOurType(type) ? schema.resources.get(type) : undefined;
  // Objects of other providers have the shape that their JSON has.
  if (resource === undefined) return planValue(from, unknownSchema);
  const marked = planValue(from, schemaType(resource));
  return markPaths(marked, withFollowing(resource, unmarkDeep(marked).paths));
}

const pathsOf = (json: Json): readonly (readonly JsonValue[])[] =>
  arrayAt(objectAt(json, "change"), "replace_paths").filter(isJsonArray);

function outputChange(name: string, change: Json, plan: Json): OutputChange {
  const sensitive = fieldOf(change, "after_sensitive");
  const unknown = fieldOf(change, "after_unknown");
  const side = (known: Json | undefined, from: Omit<PlanValue, "known">, type: Type): Value | undefined =>
    isAbsent(known) && from.unknown !== true ? undefined : planValue({ known, ...from }, type);
  const before = side(
    fieldOf(change, "before"),
    { sensitive: fieldOf(change, "before_sensitive") },
    outputType(name, objectAt(objectAt(plan, "prior_state"), "values")),
  );
  const after = side(
    fieldOf(change, "after"),
    { unknown, sensitive },
    outputType(name, objectAt(plan, "planned_values")),
  );
  const same = arrayAt(change, "actions").join() === "no-op";
  return { name, before, after: same ? before : after, sensitive: sensitive === true };
}

const isAbsent = (json: Json | undefined): boolean => json === undefined || json === null;

/** The type of an output where its value is known. */
function outputType(name: string, values: Json): Type {
  return typeFromJson(fieldOf(objectAt(objectAt(values, "outputs"), name), "type") ?? null) ?? dynamicType;
}

/** As the embedded engine has them: what ends first, last steps first; then the rest as it is configured. */
function inOrder(
  changes: readonly PlannedChange[],
  { resources }: ConfiguredOrder,
): readonly PlannedChange[] {
  const places = new Map([...resources.keys()].map((address, place) => [address, place]));
  const place = (change: PlannedChange): number => places.get(resourceOf(change)) ?? places.size;
  const ending = changes.filter(({ decision }) => decision.action === "delete");
  const others = changes.filter(({ decision }) => decision.action !== "delete");
  return [...ending.sort((a, b) => place(b) - place(a)), ...others.sort((a, b) => place(a) - place(b))];
}
