/**
 * @module Compares what is written in a kind's block with the kind's schema: names, required settings, blocks. What
 * values may be is checked when they are known.
 */
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { nearest } from "../diagnostics/nearest.ts";
import type { Attribute, Block, Body } from "../hcl/tree.ts";
import { type BlockSchema, isConfigurable } from "../schema/schema.ts";
import { suggestion } from "./body-reader.ts";
import { isNeverNull, isNullLiteral } from "./literal.ts";
import type { Report } from "./report.ts";

export interface SettingsPlace {
  /** For messages: `file`. */
  readonly what: string;
  /** What a missing setting's error underlines. */
  readonly block: Block;
  /** Names that the schema has and that are not written here, with what to do instead. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

export function checkSettings(body: Body, schema: BlockSchema, place: SettingsPlace, report: Report): void {
  const present = new Set<string>();
  const meant = new Set<string>();
  for (const item of body.items) {
    const name = item.kind === "attribute" ? item.name : item.type;
    const known =
      item.kind === "attribute"
        ? checkAttribute(item, schema, place, report)
        : checkBlock(item, schema, place, present, report);
    if (known) present.add(name);
    // A misspelt name is one mistake: what it was meant to be is not missing as well.
    else meant.add(nearest(name, configurable(schema)) ?? name);
  }
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    if (!attribute.required || present.has(name) || meant.has(name)) continue;
    if (place.elsewhere?.[name] !== undefined) continue;
    report(
      errorDiagnostic(`${quoted(place.what)} needs "${name}"`, attribute.describe, {
        range: place.block.header,
      }),
    );
  }
  checkGroups(body, schema, report);
}

const quoted = (what: string): string => (what.includes('"') ? what : `"${what}"`);

function checkAttribute(item: Attribute, schema: BlockSchema, place: SettingsPlace, report: Report): boolean {
  const { name, nameRange: range } = item;
  const fail = (summary: string, detail: string): boolean => {
    report(errorDiagnostic(summary, detail, { range }));
    return false;
  };
  const elsewhere = ownValue(place.elsewhere, name);
  if (elsewhere !== undefined) return fail(`"${name}" does not go here`, elsewhere);
  const attribute = ownValue(schema.attributes, name);
  if (attribute === undefined) {
    return ownValue(schema.blocks, name) === undefined
      ? fail(
          `Unknown setting "${name}"`,
          `${quoted(place.what)} has no setting of that name. ${suggestion(name, configurable(schema))}`,
        )
      : fail(`"${name}" is a block`, `Write it without an equals sign: ${name} { … }.`);
  }
  if (!isConfigurable(attribute)) {
    return fail(`"${name}" cannot be set`, "It is found by Conn3x, for other places to refer to. Remove it.");
  }
  return true;
}

function checkBlock(
  item: Block,
  schema: BlockSchema,
  place: SettingsPlace,
  present: ReadonlySet<string>,
  report: Report,
): boolean {
  const { type, typeRange: range } = item;
  const fail = (summary: string, detail: string): boolean => {
    report(errorDiagnostic(summary, detail, { range }));
    return false;
  };
  const elsewhere = ownValue(place.elsewhere, type);
  if (elsewhere !== undefined) return fail(`"${type}" does not go here`, elsewhere);
  const made = type === "dynamic" ? madeByDynamic(item, schema) : undefined;
  if (made !== undefined) {
    const { block, content } = made;
    checkSettings(content.body, block, { what: item.labels[0]!.value, block: content }, report);
    return true;
  }
  const block = ownValue(schema.blocks, type);
  if (block === undefined) {
    return ownValue(schema.attributes, type) === undefined
      ? fail(
          `Unknown block "${type}"`,
          `${quoted(place.what)} has no block of that type. ${suggestion(type, configurable(schema))}`,
        )
      : fail(`"${type}" is an argument`, `Write it with an equals sign: ${type} = ….`);
  }
  if (present.has(type) && !block.repeated)
    return fail(`Second "${type}" block`, "There can be only one. Merge them.");
  if (item.labels.length > 0) return fail(`"${type}" takes no name`, `Write ${type} { … }.`);
  checkSettings(item.body, block, { what: type, block: item }, report);
  return true;
}

/** What a `dynamic` block makes, where that is a block which may be repeated. */
function madeByDynamic(item: Block, schema: BlockSchema) {
  const block = ownValue(schema.blocks, item.labels[0]?.value ?? "");
  const content = item.body.items.find(
    (inner): inner is Block => inner.kind === "block" && inner.type === "content",
  );
  return block?.repeated && content !== undefined ? { block, content } : undefined;
}

/** At most one of a group may be written; a literal null counts as not written. */
function checkGroups(body: Body, schema: BlockSchema, report: Report): void {
  const first = new Map<string, { readonly name: string; readonly certain: boolean }>();
  for (const item of body.items) {
    if (item.kind === "attribute" && isNullLiteral(item.expression)) continue;
    const name = item.kind === "attribute" ? item.name : item.type;
    const group = ownValue(schema.attributes, name)?.oneOf ?? ownValue(schema.blocks, name)?.oneOf;
    if (group === undefined) continue;
    const certain = item.kind === "block" || isNeverNull(item.expression);
    const other = first.get(group);
    if (other === undefined || other.name === name) first.set(group, { name, certain });
    // Which of them is null shows when they are known.
    else if (certain || other.certain) {
      report(
        errorDiagnostic(`"${name}" and "${other.name}" exclude each other`, "Set only one of them.", {
          range: item.kind === "attribute" ? item.nameRange : item.typeRange,
        }),
      );
    }
  }
}

const configurable = (schema: BlockSchema): readonly string[] =>
  [
    ...Object.entries(schema.attributes)
      .filter(([, attribute]) => isConfigurable(attribute))
      .map(([name]) => name),
    ...Object.keys(schema.blocks),
  ].sort();

const ownValue = <V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
