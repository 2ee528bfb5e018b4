/**
 * @module What the engine's JSON plan says besides changes: values of variables, the time it was made at, and how instances
 * are stored.
 * Source: https://opentofu.org/docs/internals/json-format/#plan-representation
 */
import type { Configuration } from "../../compiler/index.ts";
import {
  type CheckResult,
  type ConfiguredCheck,
  checkKinds,
  checkStatuses,
  type Plan,
  type PriorInstance,
} from "../../engine/index.ts";
import type { JsonObject, WantedJson } from "../../values/json/json-text.ts";
import { withMark } from "../../values/marks.ts";
import { dynamicType } from "../../values/type.ts";
import { arrayAt, fieldOf, type Json, numberAt, objectAt, textAt } from "../program/json.ts";
import { planValue } from "./plan-values.ts";

const storedFacts: WantedJson = {
  address: true,
  mode: true,
  type: true,
  name: true,
  index: true,
  deposed_key: true,
  schema_version: true,
  tainted: true,
  depends_on: true,
};

const modulesWith = (resource: WantedJson): WantedJson => {
  const module: { resources: WantedJson; child_modules?: WantedJson } = { resources: resource };
  // Modules are in modules, to any depth.
  module.child_modules = module as WantedJson;
  return module as WantedJson;
};

/** Of an object that stays as it is the engine gives the same a second time, and most of a fleet's objects are so. */
const unlessSame = (change: JsonObject): true | undefined =>
  actionsIn(change) === "no-op" ? undefined : true;

const changes: WantedJson = {
  address: true,
  previous_address: true,
  mode: true,
  type: true,
  name: true,
  index: true,
  deposed: true,
  action_reason: true,
  change: {
    actions: true,
    before: true,
    after: unlessSame,
    after_unknown: unlessSame,
    before_sensitive: true,
    after_sensitive: unlessSame,
    replace_paths: true,
    importing: true,
  },
};

/**
 * What of a JSON plan is looked at: the plan of a fleet is large, and most of it says the same again.
 *
 * @param mode in which it was made: a plan that only refreshes holds its objects as they are stored
 */
export const planParts = (mode: Plan["mode"]): WantedJson => ({
  format_version: true,
  timestamp: true,
  variables: true,
  planned_values: { outputs: true },
  resource_drift: changes,
  resource_changes: changes,
  output_changes: true,
  checks: true,
  prior_state: {
    values: { outputs: true, root_module: modulesWith(mode === "refresh-only" ? true : storedFacts) },
  },
});

/** The actions: `no-op`, `delete,create`. */
export const actionsIn = (change: JsonObject): string => arrayAt(change, "actions").join();

/** Whether it is a plan, in a form that is known: later minor versions only add to it. */
export const isPlan = (json: Json | undefined): json is Json =>
  /^1\./.test(textAt(json, "format_version") ?? "");

/** Of variables of the root module: the engine does not say which of them are sensitive. */
export function variablesIn(
  json: Json,
  { variables }: Pick<Configuration, "variables">,
): Pick<Plan, "variables"> {
  const given = Object.entries(objectAt(json, "variables")).flatMap(([name, variable]) => {
    const declared = variables.get(name);
    // Of an ephemeral one that is its default.
    if (declared?.ephemeral === true) return [];
    const value = planValue({ known: fieldOf(variable, "value") ?? null }, dynamicType);
    return [[name, declared?.sensitive === true ? withMark(value, "sensitive") : value] as const];
  });
  return given.length === 0 ? {} : { variables: new Map(given) };
}

/** What checks and conditions of variables come to, in every instance of their modules. */
export function checksIn(json: Json): Pick<Plan, "checks"> {
  const checks = arrayAt(json, "checks").flatMap((check): readonly ConfiguredCheck[] => {
    const said = textAt(objectAt(check, "address"), "kind");
    const kind = checkKinds.find((one) => one === said);
    if (kind === undefined) return [];
    const instances = arrayAt(check, "instances").map(
      (instance): CheckResult => ({
        kind,
        ...resultIn(instance),
        messages: arrayAt(instance, "problems").flatMap((problem) => textAt(problem, "message") ?? []),
      }),
    );
    return [{ kind, ...resultIn(check), instances }];
  });
  return checks.length === 0 ? {} : { checks };
}

const resultIn = (json: Json): Pick<CheckResult, "address" | "status"> => ({
  address: textAt(objectAt(json, "address"), "to_display") ?? "",
  status: checkStatuses.find((one) => one === textAt(json, "status")) ?? "unknown",
});

/** When it was made, which is what `timestamp()` gives in it. */
export function planTimeIn(json: Json): Pick<Plan, "planTime"> {
  const time = new Date(textAt(json, "timestamp") ?? "");
  return Number.isNaN(time.getTime()) ? {} : { planTime: time };
}

/** How instances are stored, by the addresses that they are stored at; old objects apart. */
export function priorInstances(json: Json): ReadonlyMap<string, PriorInstance> {
  const stored = storedResources(objectAt(objectAt(objectAt(json, "prior_state"), "values"), "root_module"));
  return new Map(
    stored
      .filter((resource) => textAt(resource, "deposed_key") === undefined)
      .map((resource) => [
        textAt(resource, "address") ?? "",
        {
          schemaVersion: numberAt(resource, "schema_version") ?? 0,
          tainted: fieldOf(resource, "tainted") === true,
          dependencies: arrayAt(resource, "depends_on").filter((address) => typeof address === "string"),
        },
      ]),
  );
}

/** The stored resources of a module and of the modules in it. */
export const storedResources = (module: Json): readonly Json[] => [
  ...arrayAt(module, "resources"),
  ...arrayAt(module, "child_modules").flatMap(storedResources),
];
