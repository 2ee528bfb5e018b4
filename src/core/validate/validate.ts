/**
 * @module Validates a configured object without a host. Unknown values pass.
 */
import { defect } from "../../diagnostics/defect.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Kind } from "../../resources/kind.ts";
import { checkIgnored } from "../../revision/ownership.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import { type AttributeSchema, type BlockSchema, hideValues, showValues } from "../../schema/schema.ts";
import { groupBy } from "../../values/group-by.ts";
import { at, formatPath, type Path } from "../../values/path.ts";
import { toPlain } from "../../values/plain.ts";
import { isNull, isUnknown, type Value } from "../../values/value.ts";
import { isElements, isWhollyKnown } from "../../values/walk.ts";
import { plainObject } from "../objects.ts";
import { unfitPart } from "./validate-parts.ts";

export function validateResource(kind: Kind, config: Value): readonly Diagnostic[] {
  const diagnostics = validateBlock(kind.schema, config, []);
  if (diagnostics.length > 0) return diagnostics;
  const ignored = checkIgnored(kind.schema, fieldsOf(config)?.get("drift"));
  try {
    return [...ignored, ...(kind.check?.(plainObject(config)) ?? [])];
  } catch (error) {
    return [...ignored, defect(error)];
  }
}

/** What of a block there is to be looked at: found once, for thousands of objects. */
interface Checks {
  readonly attributes: readonly (readonly [name: string, attribute: AttributeSchema])[];
  readonly checked: readonly (readonly [name: string, check: NonNullable<AttributeSchema["check"]>])[];
  /** Names by the group of which only one may be set. */
  readonly groups: readonly (readonly string[])[];
  readonly blocks: readonly (readonly [name: string, schema: BlockSchema])[];
}

const checksOfSchemas = new WeakMap<BlockSchema, Checks>();

function checksOf(schema: BlockSchema): Checks {
  const known = checksOfSchemas.get(schema);
  if (known !== undefined) return known;
  const settings = [...Object.entries(schema.attributes), ...Object.entries(schema.blocks)];
  const grouped = settings.filter(([, { oneOf }]) => oneOf !== undefined);
  const checks: Checks = {
    attributes: Object.entries(schema.attributes),
    checked: Object.entries(schema.attributes).flatMap(([name, { check }]) =>
      check === undefined ? [] : [[name, check] as const],
    ),
    groups: [...groupBy(grouped, ([, { oneOf }]) => oneOf).values()].map((group) =>
      group.map(([name]) => name),
    ),
    blocks: Object.entries(schema.blocks),
  };
  checksOfSchemas.set(schema, checks);
  return checks;
}

/** Each setting by its own check, and groups of which only one may be set. */
export function validateBlock(schema: BlockSchema, block: Value, path: Path): readonly Diagnostic[] {
  if (!(block.data instanceof Map)) return [];
  const fields = fieldsOf(block)!;
  const { attributes, checked, groups, blocks } = checksOf(schema);
  const unfit = attributes.flatMap(
    ([name, attribute]) => unfitPart(attribute, fields.get(name)!, [...path, { attribute: name }]) ?? [],
  );
  if (unfit.length > 0) return unfit;
  const settings = checked.flatMap(([name, check]) => {
    const value = fields.get(name)!;
    if (isNull(value) || !isWhollyKnown(value)) return [];
    const plain = toPlain(value);
    const reported = check(plain, showValues);
    if (reported === undefined) return [];
    const unreported = check(plain, hideValues);
    const attribute = [...path, { attribute: name }];
    const detail = `${formatPath(attribute)} ${reported}.`;
    const wrong = errorDiagnostic("Invalid value", detail, { attribute });
    return [
      reported === unreported
        ? wrong
        : { ...wrong, withoutValues: `${formatPath(attribute)} ${unreported}.` },
    ];
  });
  const inner = blocks.flatMap(([name, inner]) => {
    const value = fields.get(name)!;
    const attribute = [...path, { attribute: name }];
    if (!inner.repeated) return validateBlock(inner, value, attribute);
    const elements = isElements(value.data) ? value.data : [];
    return elements.flatMap((element, index) => validateBlock(inner, element, [...attribute, { index }]));
  });
  return [...settings, ...groups.flatMap((names) => oneOfEach(names, fields, path)), ...inner];
}

/** An empty list is what a repeated block is when there is none. What is not known yet may turn out to be null. */
const isAbsent = (value: Value): boolean =>
  isNull(value) || isUnknown(value) || (isElements(value.data) && value.data.length === 0);

function oneOfEach(
  names: readonly string[],
  fields: ReadonlyMap<string, Value>,
  path: Path,
): readonly Diagnostic[] {
  const set = names.filter((name) => !isAbsent(fields.get(name)!));
  if (set.length < 2) return [];
  return [
    errorDiagnostic("Settings exclude each other", `Only one of ${set.join(" and ")} may be set.`, {
      attribute: [...path, ...at(set[1]!)],
    }),
  ];
}
