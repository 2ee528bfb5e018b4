/**
 * @module Configuration → the OpenTofu files that say the same, in HCL.
 */
import { basename } from "node:path";
import { formatText } from "../../hcl/format.ts";
import { printBody } from "../../hcl/print.ts";
import type { Block } from "../../hcl/tree.ts";
import { overrideFileName, withHeader } from "../generated.ts";
import type { Configuration, ParsedFile } from "../model.ts";
import { circuitFiles, compiledBlocks, outputName } from "./circuit-parts.ts";
import { bodyWith } from "./resource-block.ts";

/**
 * Texts by file name: `NAME.circuit.tf` for each `NAME.circuit.hcl`, and what is merged into the user's own blocks.
 * Equal configurations give equal texts.
 *
 * @param configuration one without errors
 */
export function emitHcl(configuration: Configuration): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  for (const source of circuitFiles(configuration)) {
    outputs.set(outputName(source, "hcl"), emitFile(source, configuration));
  }
  if (outputs.size > 0) outputs.set(overrideFileName, withHeader("the circuit files", overrideText));
  return outputs;
}

/** The address with its host, so that a state written with OpenTofu and one written with Terraform name the same provider. */
export const providerSource = "registry.opentofu.org/conn3x/conn3x";

const overrideText = `terraform {
  required_providers {
    conn3x = {
      source = "${providerSource}"
    }
  }
}
`;

/** The file's text with each circuit replaced by what it becomes; everything else passes through. */
function emitFile(source: ParsedFile, configuration: Configuration): string {
  const { text, name } = source.file;
  let written = "";
  let from = 0;
  for (const item of source.body.items) {
    if (item.kind !== "block" || item.type !== "circuit") continue;
    written += text.slice(from, item.start) + emitCircuit(item, configuration);
    from = item.end;
  }
  return withHeader(basename(name), formatText(written + text.slice(from)));
}

const emitCircuit = (block: Block, configuration: Configuration): string =>
  compiledBlocks(block, configuration)
    .map(({ block: compiled, origin }) => `# ${origin}\n${printBody(bodyWith(compiled)).trimEnd()}`)
    .join("\n\n");
