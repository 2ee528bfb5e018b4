/**
 * @module A plan in the form of `tofu show -json PLANFILE`, with our reasons, hosts, steps and names added: `urn`, and
 * the rest under `conn3x`.
 * Source: https://opentofu.org/docs/internals/json-format/#plan-representation; `applyable` and `complete` are
 * Terraform's.
 */
import type { Configuration } from "../../compiler/index.ts";
import { providerSchema } from "../../core/index.ts";
import { type Plan, type PlannedChange, planHasChanges, stateToolVersion } from "../../engine/index.ts";
import type { Decision, PropertyChange } from "../../revision/decision.ts";
import type { Path } from "../../values/path.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import type { UrnOf } from "../state/instance-name.ts";
import { actionReason, actionsOf, reasonData } from "./action-words.ts";
import { checksData } from "./checks-json.ts";
import { configurationJson } from "./configuration-json.ts";
import { exactJson } from "./exact-json.ts";
import { listText, objectText, plainText } from "./json-object.ts";
import { inOrder, memberItems, modulesJson, urnMember } from "./modules-json.ts";
import { outputChanges, plannedOutputs, priorOutputs } from "./plan-outputs-json.ts";
import { relevantAttributes } from "./relevant-attributes.ts";
import { stateValues, storedJson } from "./state-json.ts";
import { sensitiveMask, unknownMask } from "./value-mask.ts";

/** One line. Sensitive values are in it, as in OpenTofu's. */
export function planJson(plan: Plan, configuration: Configuration, urnOf: UrnOf): string {
  const changes = inOrder(plan.changes);
  // What is to be destroyed anyway is in no drift: OpenTofu reads it in a plan of its own.
  const drifted = changes.filter(({ stored }) => stored !== undefined && plan.mode !== "destroy");
  const relevant = relevantAttributes(plan, configuration);
  const checks = checksData(plan.checks);
  return objectText({
    format_version: plainText("1.2"),
    terraform_version: plainText(stateToolVersion),
    variables: variablesJson(plan),
    planned_values: objectText({
      outputs: plannedOutputs(plan.outputs),
      root_module: modulesJson(
        plan.changes.filter(({ after }) => !isNull(after)),
        (change) => valueJson(change, urnOf),
      ),
    }),
    resource_drift:
      drifted.length === 0 ? undefined : listText(drifted.map((change) => driftJson(change, urnOf))),
    resource_changes: listText(changes.map((change) => changeJson(change, urnOf))),
    output_changes: outputChanges(plan.outputs),
    prior_state: priorState(plan, urnOf),
    configuration: configurationJson(configuration),
    relevant_attributes: relevant.length === 0 ? undefined : plainText(relevant),
    checks: checks === undefined ? undefined : plainText(checks),
    timestamp: plan.planTime && plainText(plan.planTime.toISOString().replace(/\.\d+Z$/, "Z")),
    applyable: String(planHasChanges(plan)),
    complete: String(!plan.isPartial),
    errored: "false",
  });
}

function variablesJson({ variables }: Plan): string | undefined {
  if (variables === undefined || variables.size === 0) return undefined;
  const members = [...variables].map(([name, value]) => [name, objectText({ value: exactJson(value) })]);
  return objectText(Object.fromEntries(members));
}

const schemaOf = ({ type }: PlannedChange) => providerSchema.resources.get(type);

const maskOf = (change: PlannedChange, value: Value): string =>
  plainText(sensitiveMask(value, schemaOf(change)));

const valueJson = (change: PlannedChange, urnOf: UrnOf): string =>
  objectText({
    ...memberItems(change),
    schema_version: String(schemaOf(change)?.version ?? 0),
    values: exactJson(change.after),
    sensitive_values: maskOf(change, change.after),
    urn: urnMember(change.address, urnOf),
  });

/** The state as the refresh left it. */
function priorState(plan: Plan, urnOf: UrnOf): string {
  const there = plan.changes
    .filter(({ before }) => !isNull(before))
    .map((change) => ({ ...change, address: change.movedFrom ?? change.address }));
  return objectText({
    format_version: plainText("1.0"),
    terraform_version: plainText(stateToolVersion),
    values: stateValues({
      outputs: priorOutputs(plan.outputs),
      root_module: modulesJson(there, (change) =>
        storedJson(change, change.prior ?? unknownPrior, urnOf, {
          deposed: change.deposed,
          values: exactJson(change.before),
          sensitive_values: maskOf(change, change.before),
        }),
      ),
    }),
  });
}

const unknownPrior = { schemaVersion: 0, tainted: false, dependencies: [] } as const;

function changeJson(change: PlannedChange, urnOf: UrnOf): string {
  const { decision, before, after, host, circuit, member, unread, movedFrom, importing } = change;
  const reason = actionReason(change);
  const paths = decision.action === "replace" ? decision.requiresReplace.map(pathData) : [];
  return objectText({
    ...memberItems(change),
    previous_address: movedFrom === undefined ? undefined : plainText(movedFrom),
    deposed: change.deposed === undefined ? undefined : plainText(change.deposed),
    change: objectText({
      actions: plainText(actionsOf(change)),
      ...sides(change, before, after),
      replace_paths: paths.length === 0 ? undefined : plainText(paths),
      importing: importing === undefined ? undefined : plainText({ id: importing }),
    }),
    action_reason: reason === undefined ? undefined : plainText(reason),
    urn: urnMember(change.address, urnOf),
    conn3x: objectText({
      host: plainText(host ?? null),
      circuit: plainText(circuit ?? null),
      step: plainText(member ?? null),
      ...textsOf(reasonData(change)),
      ...differences(decision),
      unread: unread ? "true" : undefined,
    }),
  });
}

const sides = (change: PlannedChange, before: Value, after: Value) => ({
  before: exactJson(before),
  after: exactJson(after),
  after_unknown: plainText(unknownMask(after)),
  before_sensitive: maskOf(change, before),
  after_sensitive: maskOf(change, after),
});

const textsOf = (data: object): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, plainText(value)]));

/** Edits of the configuration, and changes on the host. */
const differences = ({ edits, drift }: Decision) => ({
  edits:
    edits.length === 0 ? undefined : listText(edits.map((edit) => differenceJson(edit, "before", "after"))),
  drift:
    drift.length === 0 ? undefined : listText(drift.map((one) => differenceJson(one, "expected", "found"))),
});

const differenceJson = ({ path, before, after }: PropertyChange, old: string, now: string): string =>
  objectText({
    path: plainText(pathData(path)),
    [old]: exactJson(before),
    [now]: exactJson(after),
    [`${now}_unknown`]: after === undefined ? undefined : unknownMember(after),
  });

const unknownMember = (value: Value): string | undefined => {
  const mask = plainText(unknownMask(value));
  return mask === "{}" ? undefined : mask;
};

/** The observed object that replaces the stored one. */
function driftJson(change: PlannedChange, urnOf: UrnOf): string {
  const { stored, before, host } = change;
  const gone = change.decision.reasons.some(({ kind }) => kind === "gone");
  const was = stored ?? before;
  const found = gone ? nullValue(was.type) : before;
  return objectText({
    ...memberItems(change),
    change: objectText({
      actions: plainText([gone ? "delete" : "update"]),
      ...sides(change, was, found),
    }),
    urn: urnMember(change.address, urnOf),
    conn3x: objectText({ host: plainText(host ?? null), ...differences({ ...change.decision, edits: [] }) }),
  });
}

/** `["triggers", 0]` */
const pathData = (path: Path): readonly (string | number)[] =>
  path.map((step) => ("attribute" in step ? step.attribute : "index" in step ? step.index : step.key));
