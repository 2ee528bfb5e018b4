/**
 * @module The settings of a kind as tables: arguments, and attributes to refer to.
 */
import { whyNotOwnable } from "../../schema/ownable.ts";
import { type AttributeSchema, type BlockSchema, isConfigurable } from "../../schema/schema.ts";
import { friendlyConstraint } from "../../values/type-text.ts";
import { code, table } from "./markdown.ts";

/** Settings that the configuration may hold. */
export function settingsTable(schema: BlockSchema): string {
  const settings = Object.entries(schema.attributes).filter(([, attribute]) => isConfigurable(attribute));
  return table(
    ["setting", "type", "what it does"],
    settings.map(([name, attribute]) => [
      code(name),
      `${typeText(attribute)}${attribute.required ? ", required" : ""}`,
      [attribute.describe, ...notes(schema, name, attribute)].join(" "),
    ]),
  );
}

/** A section for each block that may stand in it. */
export const blockSections = (schema: BlockSchema): readonly string[] =>
  Object.entries(schema.blocks).flatMap(([name, block]) => [
    `## The ${code(name)} block`,
    `${block.describe}${block.repeated ? " It may be repeated." : ""}`,
    settingsTable(block),
  ]);

/** Computed attributes, which cannot be set. */
export function attributesTable(schema: BlockSchema): string {
  const found = Object.entries(schema.attributes).filter(([, attribute]) => !isConfigurable(attribute));
  return table(
    ["attribute", "type", "what it is"],
    found.map(([name, attribute]) => [code(name), typeText(attribute), attribute.describe]),
  );
}

const typeText = ({ type }: AttributeSchema): string =>
  type.kind === "dynamic" ? "any" : friendlyConstraint(type);

function notes(schema: BlockSchema, name: string, attribute: AttributeSchema): readonly string[] {
  return [
    ...(attribute.identity ? ["Another value replaces the object."] : []),
    ...(attribute.sensitive ? ["Sensitive."] : []),
    ...(attribute.observed && whyNotOwnable(schema, name) === undefined
      ? ["Read from the host: drift is seen."]
      : []),
  ];
}
