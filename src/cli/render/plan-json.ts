/**
 * @module A plan in the form of `tofu show -json PLANFILE`, with our reasons, host and step added under `conn3x`.
 * Source: https://opentofu.org/docs/internals/json-format/#plan-representation
 */
import type { OutputChange, Plan, PlannedChange } from "../../engine/plan.ts";
import { stateToolVersion } from "../../engine/state/state.ts";
import { valuesEqual } from "../../values/equal.ts";
import { typeToJson } from "../../values/json.ts";
import type { Path } from "../../values/path.ts";
import { isNull, isUnknown, type Value } from "../../values/value.ts";
import { actionList, actionReason, reasonData } from "./action-words.ts";
import { exactJson } from "./exact-json.ts";
import { listText, objectText, plainText } from "./json-object.ts";
import { moduleAddress, rootModuleText } from "./modules-json.ts";
import { providerName } from "./state-json.ts";
import { sensitiveMask, unknownMask } from "./value-mask.ts";

/** One line. */
export function planJson(plan: Plan): string {
  const drifted = plan.changes.filter(({ decision, before }) => decision.drift.length > 0 && !isNull(before));
  const named = plan.outputs.map((output) => [output.name, outputChange(output)] as const);
  return objectText({
    format_version: plainText("1.2"),
    terraform_version: plainText(stateToolVersion),
    planned_values: plannedValues(plan),
    resource_drift: drifted.length === 0 ? undefined : listText(drifted.map(driftText)),
    resource_changes: listText(plan.changes.map(changeText)),
    output_changes: objectText(Object.fromEntries(named)),
    errored: "false",
  });
}

function plannedValues({ changes, outputs }: Plan): string {
  const staying = changes.filter(({ after }) => !isNull(after));
  const kept = outputs.flatMap(({ name, after, sensitive }) =>
    after === undefined ? [] : [[name, outputText(after, sensitive)] as const],
  );
  return objectText({
    outputs: kept.length === 0 ? undefined : objectText(Object.fromEntries(kept)),
    root_module: rootModuleText(
      staying.map((change) => ({ address: change.address, text: valueText(change) })),
    ),
  });
}

const outputText = (value: Value, sensitive: boolean): string =>
  objectText({
    sensitive: String(sensitive),
    type: isUnknown(value) ? undefined : plainText(typeToJson(value.type)),
    value: isUnknown(value) ? undefined : exactJson(value),
  });

const placeOf = ({ address, type, name, key }: PlannedChange) => ({
  address: plainText(address),
  mode: plainText("managed"),
  type: plainText(type),
  name: plainText(name),
  index: key === undefined ? undefined : plainText(key),
  provider_name: plainText(providerName),
});

/** Where the change is, and where it comes from. */
const changePlaceOf = (change: PlannedChange) => {
  const { address, movedFrom } = change;
  const module = moduleAddress(address);
  const { address: own, ...rest } = placeOf(change);
  return {
    address: own,
    previous_address: movedFrom === undefined ? undefined : plainText(movedFrom),
    module_address: module === undefined ? undefined : plainText(module),
    ...rest,
  };
};

const valueText = (change: PlannedChange): string =>
  objectText({
    ...placeOf(change),
    values: exactJson(change.after),
    sensitive_values: plainText(sensitiveMask(change.after)),
  });

function changeText(change: PlannedChange): string {
  const { decision, before, after, host, circuit, member, unread } = change;
  const reason = actionReason(change);
  const paths = decision.requiresReplace.map(pathData);
  return objectText({
    ...changePlaceOf(change),
    change: objectText({
      actions: plainText(actionList[decision.action]),
      before: exactJson(before),
      after: exactJson(after),
      after_unknown: plainText(unknownMask(after)),
      before_sensitive: plainText(sensitiveMask(before)),
      after_sensitive: plainText(sensitiveMask(after)),
      replace_paths: decision.action !== "replace" || paths.length === 0 ? undefined : plainText(paths),
    }),
    action_reason: reason === undefined ? undefined : plainText(reason),
    conn3x: plainText({ host, circuit, step: member, ...reasonData(change), ...(unread ? { unread } : {}) }),
  });
}

/** What the host had against what was last applied. */
function driftText(change: PlannedChange): string {
  const { decision, before, host } = change;
  const mask = plainText(sensitiveMask(before));
  return objectText({
    ...changePlaceOf(change),
    change: objectText({
      actions: plainText(["update"]),
      after: exactJson(before),
      after_unknown: "{}",
      after_sensitive: mask,
    }),
    conn3x: objectText({
      host: plainText(host ?? null),
      drift: listText(
        decision.drift.map(({ path, before: expected, after: found }) =>
          objectText({
            path: plainText(pathData(path)),
            expected: exactJson(expected),
            found: exactJson(found),
          }),
        ),
      ),
    }),
  });
}

/** `["triggers", 0]` */
const pathData = (path: Path): readonly (string | number)[] =>
  path.map((step) => ("attribute" in step ? step.attribute : "index" in step ? step.index : step.key));

function outputChange({ before, after, sensitive }: OutputChange): string {
  const action =
    before === undefined
      ? "create"
      : after === undefined
        ? "delete"
        : same(before, after)
          ? "no-op"
          : "update";
  return objectText({
    actions: plainText([action]),
    before: exactJson(before),
    after: exactJson(after),
    after_unknown: after !== undefined && isUnknown(after) ? "true" : "false",
    before_sensitive: String(sensitive),
    after_sensitive: String(sensitive),
  });
}

const same = (before: Value, after: Value): boolean => before === after || valuesEqual(before, after);
