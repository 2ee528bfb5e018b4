/**
 * @module Configuration → equivalent OpenTofu files in HCL.
 */
import { basename } from "node:path";
import { formatText } from "../../hcl/format/format.ts";
import { printBody } from "../../hcl/print/print.ts";
import type { Block } from "../../hcl/tree.ts";
import { buildAt } from "../lower/build.ts";
import { providerBlock } from "../lower/provider-logins.ts";
import type { Configuration, ParsedFile } from "../model.ts";
import { overrideFileName, withHeader } from "../outputs/generated.ts";
import { isJsonSource } from "../source/source-set.ts";
import { circuitFiles, compiledBlocks, outputName } from "./circuit-parts.ts";
import { overrideSource } from "./override.ts";
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
  const source = overrideSource(configuration);
  if (source !== undefined) outputs.set(overrideFileName, withHeader(source, overrideText(configuration)));
  return outputs;
}

/** The address with its host, so that a state written with OpenTofu and one written with Terraform name the same provider. */
export const providerSource = "registry.opentofu.org/conn3x/conn3x";

const requirement = `terraform {
  required_providers {
    conn3x = {
      source = "${providerSource}"
    }
  }
}
`;

function overrideText({ circuitLogins }: Configuration): string {
  if (circuitLogins === undefined) return requirement;
  const logins = buildAt(circuitLogins).attribute("circuit_logins", circuitLogins);
  return `${requirement}\n${formatText(printBody(bodyWith(providerBlock(logins))))}`;
}

function emitFile(source: ParsedFile, configuration: Configuration): string {
  const name = basename(source.file.name);
  const text = isJsonSource(name) ? printed(source, configuration) : replaced(source, configuration);
  return withHeader(name, formatText(text));
}

/** The file's text with each circuit replaced by its resources; everything else is copied. */
function replaced(source: ParsedFile, configuration: Configuration): string {
  const { text } = source.file;
  let written = "";
  let from = 0;
  for (const item of source.body.items) {
    if (item.kind !== "block" || item.type !== "circuit") continue;
    written += text.slice(from, item.start) + emitCircuit(item, configuration);
    from = item.end;
  }
  return written + text.slice(from);
}

/** The text for a file in JSON: none of it can be copied. */
const printed = (source: ParsedFile, configuration: Configuration): string =>
  `${source.body.items
    .filter((item) => item.kind === "block")
    .map((block) =>
      block.type === "circuit" ? emitCircuit(block, configuration) : printBody(bodyWith(block)).trimEnd(),
    )
    .join("\n\n")}\n`;

const emitCircuit = (block: Block, configuration: Configuration): string =>
  compiledBlocks(block, configuration)
    .map(({ block: compiled, origin }) => `# ${origin}\n${printBody(bodyWith(compiled)).trimEnd()}`)
    .join("\n\n");
