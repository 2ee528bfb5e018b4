/**
 * @module Compares the block of a kind with the kind's schema: names, required settings, nested blocks. Which
 * values are valid is checked when they are known.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest, suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block, Body } from "../../hcl/tree.ts";
import { type BlockSchema, isConfigurable } from "../../schema/schema.ts";
import { readDynamic, typeOfBlocks } from "../declare/dynamic-block.ts";
import { isNeverNull, isNullLiteral } from "../hosts/literal.ts";
import { buildAt } from "../lower/build.ts";

export interface SettingsContext {
  /** For messages: `file`. */
  readonly what: string;
  /** What the error about a missing setting points to. */
  readonly block: Block;
  /** Names of the schema that cannot be set here, each with what to do instead. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** @returns the body without what is wrong in it, so that the remaining values can still be checked */
export function checkSettings(
  body: Body,
  schema: BlockSchema,
  context: SettingsContext,
  report: Report,
): Body {
  const present = new Set<string>();
  const meant = new Set<string>();
  const items: (Attribute | Block)[] = [];
  for (const item of body.items) {
    const name = item.kind === "attribute" ? item.name : item.type;
    const checked =
      item.kind === "attribute"
        ? checkAttribute(item, schema, context, report)
        : checkBlock(item, schema, context, present, report);
    if (checked !== undefined) {
      present.add(name);
      items.push(checked);
    }
    // A misspelt name is one mistake: the setting that was meant is not reported as missing.
    else meant.add(nearest(name, configurable(schema)) ?? name);
  }
  const build = buildAt(context.block.header);
  for (const name of meant) {
    if (!present.has(name) && ownValue(schema.attributes, name) !== undefined)
      items.push(build.attribute(name, build.broken()));
  }
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    if (!attribute.required || present.has(name) || meant.has(name)) continue;
    if (context.elsewhere?.[name] !== undefined) continue;
    items.push(build.attribute(name, build.broken()));
    report(
      errorDiagnostic(`${inQuotes(context.what)} needs ${quoted(name)}`, attribute.describe, {
        range: context.block.header,
      }),
    );
  }
  const excluded = checkGroups(body, schema, report);
  const right = items.filter((item) => !excluded.has(item));
  return right.length === body.items.length && right.every((item, index) => item === body.items[index])
    ? body
    : { ...body, items: right };
}

const inQuotes = (what: string): string => (what.includes('"') ? what : `"${what}"`);

/** @returns undefined when it cannot stand there */
function checkAttribute(
  item: Attribute,
  schema: BlockSchema,
  context: SettingsContext,
  report: Report,
): Attribute | undefined {
  const { name, nameRange: range } = item;
  const fail = (summary: string, detail: string): undefined => {
    report(errorDiagnostic(summary, detail, { range }));
    return undefined;
  };
  const elsewhere = ownValue(context.elsewhere, name);
  if (elsewhere !== undefined) return fail(`${quoted(name)} does not go here`, elsewhere);
  const attribute = ownValue(schema.attributes, name);
  if (attribute === undefined) {
    return ownValue(schema.blocks, name) === undefined
      ? fail(
          `Unknown setting ${quoted(name)}`,
          `${inQuotes(context.what)} has no setting of that name. ${suggestion(name, offered(schema, context))}`,
        )
      : fail(`${quoted(name)} is a block`, `Write it without an equals sign: ${name} { … }.`);
  }
  if (!isConfigurable(attribute)) {
    return fail(
      `${quoted(name)} cannot be set`,
      "It is found by Conn3x, for other places to refer to. Remove it.",
    );
  }
  return item;
}

function checkBlock(
  item: Block,
  schema: BlockSchema,
  context: SettingsContext,
  present: ReadonlySet<string>,
  report: Report,
): Block | undefined {
  const { type, typeRange: range } = item;
  const fail = (summary: string, detail: string): undefined => {
    report(errorDiagnostic(summary, detail, { range }));
    return undefined;
  };
  const elsewhere = ownValue(context.elsewhere, type);
  if (elsewhere !== undefined) return fail(`${quoted(type)} does not go here`, elsewhere);
  const made = type === "dynamic" ? ownValue(schema.blocks, typeOfBlocks(item)) : undefined;
  if (made?.repeated) {
    const content = readDynamic(item, report)?.content;
    if (content === undefined) return undefined;
    const context = { what: typeOfBlocks(item), block: content };
    return withBody(item, content, checkSettings(content.body, made, context, report));
  }
  const block = ownValue(schema.blocks, type);
  if (block === undefined) {
    return ownValue(schema.attributes, type) === undefined
      ? fail(
          `Unknown block ${quoted(type)}`,
          `${inQuotes(context.what)} has no block of that type. ${suggestion(type, offered(schema, context))}`,
        )
      : fail(`${quoted(type)} is an argument`, `Write it with an equals sign: ${type} = ….`);
  }
  if (present.has(type) && !block.repeated)
    return fail(`Second ${quoted(type)} block`, "There can be only one. Merge them.");
  if (item.labels.length > 0) return fail(`${quoted(type)} takes no name`, `Write ${type} { … }.`);
  const body = checkSettings(item.body, block, { what: type, block: item }, report);
  return body === item.body ? item : { ...item, body };
}

/** A `dynamic` block with another body in its `content`. */
function withBody(item: Block, content: Block, body: Body): Block {
  if (body === content.body) return item;
  const items = item.body.items.map((inner) => (inner === content ? { ...content, body } : inner));
  return { ...item, body: { ...item.body, items } };
}

/** Reports all but one of a group of exclusive settings; a literal null does not count. @returns the reported ones */
function checkGroups(body: Body, schema: BlockSchema, report: Report): ReadonlySet<Attribute | Block> {
  const excluded = new Set<Attribute | Block>();
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
      excluded.add(item);
      report(
        errorDiagnostic(
          `${quoted(name)} and ${quoted(other.name)} exclude each other`,
          "Set only one of them.",
          {
            range: item.kind === "attribute" ? item.nameRange : item.typeRange,
          },
        ),
      );
    }
  }
  return excluded;
}

/** What may stand here. */
const offered = (schema: BlockSchema, { elsewhere }: SettingsContext): readonly string[] =>
  configurable(schema).filter((name) => ownValue(elsewhere, name) === undefined);

const configurable = (schema: BlockSchema): readonly string[] =>
  [
    ...Object.entries(schema.attributes)
      .filter(([, attribute]) => isConfigurable(attribute))
      .map(([name]) => name),
    ...Object.keys(schema.blocks),
  ].sort();

const ownValue = <V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
