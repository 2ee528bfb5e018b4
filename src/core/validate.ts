/**
 * @module What can be said about a configured object without a host. Unknown values pass.
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Kind } from "../resources/kind.ts";
import { checkIgnored } from "../revision/ownership.ts";
import { fieldsOf } from "../revision/proposal.ts";
import { type BlockSchema, type Tell, tellNoValues, tellValues } from "../schema/schema.ts";
import { at, formatPath, type Path } from "../values/path.ts";
import { toPlain } from "../values/plain.ts";
import { isNull, isUnknown, type Value } from "../values/value.ts";
import { isElements, isWhollyKnown } from "../values/walk.ts";
import { plainObject } from "./objects.ts";

export function validateResource(kind: Kind, config: Value): readonly Diagnostic[] {
  const diagnostics = validateBlock(kind.schema, config, []);
  if (diagnostics.length > 0) return diagnostics;
  const ignored = checkIgnored(kind.schema, fieldsOf(config)?.get("drift"));
  return [...ignored, ...(kind.check?.(plainObject(config)) ?? [])];
}

/** Each setting by its own check, and groups of which only one may be set. */
export function validateBlock(schema: BlockSchema, block: Value, path: Path): readonly Diagnostic[] {
  if (!(block.data instanceof Map)) return [];
  const fields = fieldsOf(block)!;
  const settings = Object.entries(schema.attributes).flatMap(([name, attribute]) => {
    const value = fields.get(name)!;
    if (attribute.check === undefined || isNull(value) || !isWhollyKnown(value)) return [];
    const problem = (tell: Tell) => attribute.check!(toPlain(value), tell);
    const [told, untold] = [problem(tellValues), problem(tellNoValues)];
    if (told === undefined) return [];
    const place = [...path, { attribute: name }];
    const detail = `${formatPath(place)} ${told}.`;
    const wrong = errorDiagnostic("Invalid value", detail, { attribute: place });
    return [told === untold ? wrong : { ...wrong, withoutValues: `${formatPath(place)} ${untold}.` }];
  });
  const blocks = Object.entries(schema.blocks).flatMap(([name, inner]) => {
    const value = fields.get(name)!;
    const place = [...path, { attribute: name }];
    if (!inner.repeated) return validateBlock(inner, value, place);
    const elements = isElements(value.data) ? value.data : [];
    return elements.flatMap((element, index) => validateBlock(inner, element, [...place, { index }]));
  });
  return [...settings, ...oneOfEach(schema, fields, path), ...blocks];
}

/** An empty list is what a repeated block is when there is none. What is not known yet may turn out to be null. */
const isAbsent = (value: Value): boolean =>
  isNull(value) || isUnknown(value) || (isElements(value.data) && value.data.length === 0);

function oneOfEach(
  schema: BlockSchema,
  fields: ReadonlyMap<string, Value>,
  path: Path,
): readonly Diagnostic[] {
  const groups = new Map<string, string[]>();
  for (const [name, { oneOf }] of Object.entries({ ...schema.attributes, ...schema.blocks })) {
    if (oneOf === undefined || isAbsent(fields.get(name)!)) continue;
    groups.set(oneOf, [...(groups.get(oneOf) ?? []), name]);
  }
  return [...groups.values()]
    .filter((set) => set.length > 1)
    .map((set) =>
      errorDiagnostic("Settings exclude each other", `Only one of ${set.join(" and ")} may be set.`, {
        attribute: [...path, ...at(set[1]!)],
      }),
    );
}
