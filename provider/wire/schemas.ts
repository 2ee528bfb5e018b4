/**
 * @module Schemas on the wire.
 */
import type { AttributeSchema, BlockSchema } from "../../src/schema/schema.ts";
import { jsonText, typeToJson } from "../../src/values/json/json.ts";
import { listNesting, markdownText, singleNesting, type WireBlock, type WireSchema } from "./messages.ts";

/** @param version of the stored form; a provider's own schema has none */
export function toWireSchema(schema: BlockSchema, version = 0): WireSchema {
  return { version, block: toWireBlock(schema) };
}

function toWireBlock({ attributes, blocks, describe }: BlockSchema): WireBlock {
  return {
    attributes: Object.entries(attributes).map(toWireAttribute),
    blocks: Object.entries(blocks).map(([typeName, block]) => ({
      typeName,
      block: toWireBlock(block),
      nesting: block.repeated ? listNesting : singleNesting,
    })),
    description: describe,
    descriptionKind: markdownText,
  };
}

function toWireAttribute([name, attribute]: [string, AttributeSchema]): WireBlock["attributes"][number] {
  return {
    name,
    type: Buffer.from(jsonText(typeToJson(attribute.type))),
    description: attribute.describe,
    required: attribute.required ?? false,
    optional: attribute.optional ?? false,
    computed: attribute.computed ?? false,
    sensitive: attribute.sensitive ?? false,
    writeOnly: attribute.writeOnly !== undefined,
    descriptionKind: markdownText,
  };
}
