/**
 * @module What JSON's strings mean in OpenTofu's JSON syntax, by the block that they stand in.
 *
 * Source: OpenTofu's "JSON Configuration Syntax"; HCL JSON Syntax Specification.
 */

/** `reference`: the text of an expression. `static`: text as it is. `evaluated`: a template. */
export type AttributeForm = "reference" | "static" | "evaluated";

/** Arguments that are references or types, by the type of the block that they stand in. */
const references: Readonly<Record<string, readonly string[]>> = {
  circuit: ["depends_on"],
  step: ["depends_on", "notify"],
  dynamic: ["iterator"],
  resource: ["depends_on", "provider"],
  data: ["depends_on", "provider"],
  ephemeral: ["depends_on", "provider"],
  module: ["depends_on", "providers"],
  output: ["depends_on"],
  lifecycle: ["ignore_changes", "replace_triggered_by"],
  moved: ["from", "to"],
  removed: ["from"],
  import: ["to", "provider"],
  variable: ["type"],
};

/** Arguments that are read before anything is evaluated. */
const statics: Readonly<Record<string, readonly string[]>> = {
  variable: ["default", "description", "deprecated"],
  output: ["description", "deprecated"],
};

/** Blocks all of whose arguments are read so. */
const staticBlocks: readonly string[] = ["terraform", "tofu", "required_providers", "backend", "cloud"];

/** @param block type of the block */
export function attributeForm(block: string, name: string): AttributeForm {
  if (references[block]?.includes(name)) return "reference";
  return staticBlocks.includes(block) || statics[block]?.includes(name) ? "static" : "evaluated";
}
