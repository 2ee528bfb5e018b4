/**
 * @module Outputs of a plan as OpenTofu's JSON has them.
 * Source: https://opentofu.org/docs/internals/json-format/#plan-representation
 */
import type { OutputChange } from "../../engine/index.ts";
import { valuesEqual } from "../../values/equal.ts";
import { typeToJson } from "../../values/json/json.ts";
import { isUnknown, type Value } from "../../values/value.ts";
import { isWhollyKnown } from "../../values/walk.ts";
import { exactJson } from "./exact-json.ts";
import { objectText, plainText } from "./json-object.ts";
import { unknownMask } from "./value-mask.ts";

type Outputs = readonly OutputChange[];

export const outputChanges = (outputs: Outputs): string =>
  objectText(Object.fromEntries(outputs.map((output) => [output.name, changeJson(output)])));

/** The outputs as planned; undefined when there are none. */
export const plannedOutputs = (outputs: Outputs): string | undefined =>
  members(outputs, ({ after, sensitive }) => after && outputJson(after, sensitive));

/** The outputs as stored. */
export const priorOutputs = (outputs: Outputs): string | undefined =>
  members(outputs, ({ before, sensitive }) => before && outputJson(before, sensitive));

function members(outputs: Outputs, json: (output: OutputChange) => string | undefined): string | undefined {
  const texts = outputs.flatMap((output) => {
    const text = json(output);
    return text === undefined ? [] : [[output.name, text] as const];
  });
  return texts.length === 0 ? undefined : objectText(Object.fromEntries(texts));
}

const outputJson = (value: Value, sensitive: boolean): string =>
  objectText({
    sensitive: String(sensitive),
    type: isWhollyKnown(value) ? plainText(typeToJson(value.type)) : undefined,
    value: isWhollyKnown(value) ? exactJson(value) : undefined,
  });

/** An output is sensitive as a whole, or not at all. */
function changeJson({ before, after, sensitive }: OutputChange): string {
  return objectText({
    actions: plainText([actionOf(before, after)]),
    before: exactJson(before),
    after: after !== undefined && isUnknown(after) ? undefined : exactJson(after),
    after_unknown: after === undefined || isWhollyKnown(after) ? "false" : plainText(unknownMask(after)),
    before_sensitive: String(sensitive),
    after_sensitive: String(sensitive),
  });
}

function actionOf(before: Value | undefined, after: Value | undefined): string {
  if (before === undefined) return "create";
  if (after === undefined) return "delete";
  return before === after || valuesEqual(before, after) ? "no-op" : "update";
}
