/**
 * @module Configuration → equivalent OpenTofu files in JSON.
 */
import { basename } from "node:path";
import type { Configuration, ParsedFile } from "../model.ts";
import { overrideFileName, withJsonHeader } from "../outputs/generated.ts";
import { circuitFiles, compiledBlocks, outputName } from "./circuit-parts.ts";
import { providerSource } from "./hcl.ts";
import { BlockTree, blockJson } from "./json-body.ts";
import { expressionJson } from "./json-expression.ts";
import { overrideSource } from "./override.ts";

/**
 * Texts by file name: `NAME.circuit.tf.json` for each `NAME.circuit.hcl`, and what is merged into the user's own blocks.
 *
 * @param configuration one without errors
 */
export function emitJson(configuration: Configuration): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  for (const source of circuitFiles(configuration)) {
    outputs.set(outputName(source, "json"), emitFile(source, configuration));
  }
  const source = overrideSource(configuration);
  if (source !== undefined) {
    const terraform = { required_providers: { conn3x: { source: providerSource } } };
    const { circuitLogins } = configuration;
    const provider =
      circuitLogins === undefined
        ? {}
        : { provider: { conn3x: { circuit_logins: expressionJson(circuitLogins) } } };
    outputs.set(`${overrideFileName}.json`, withJsonHeader(source, { terraform, ...provider }));
  }
  return outputs;
}

function emitFile(source: ParsedFile, configuration: Configuration): string {
  const tree = new BlockTree();
  for (const item of source.body.items) {
    if (item.kind !== "block") continue;
    const blocks =
      item.type === "circuit" ? compiledBlocks(item, configuration) : [{ block: item, origin: undefined }];
    for (const { block, origin } of blocks) {
      tree.add([block.type, ...block.labels.map((label) => label.value)], blockJson(block, origin));
    }
  }
  return withJsonHeader(basename(source.file.name), tree.toJson());
}
