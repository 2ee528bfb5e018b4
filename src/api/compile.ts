/**
 * @module Circuits → files for OpenTofu and Terraform, as texts.
 */
import { join } from "node:path";
import { emitHcl, emitJson, emitTree, loadConfiguration } from "../compiler/index.ts";
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { loadPlugins } from "../plugins/load-plugins.ts";
import { kinds } from "../resources/index.ts";

export interface CompileOptions {
  /** The configuration's directory. Default: the current one. */
  readonly directory?: string;
  /** Default `hcl`. */
  readonly format?: "hcl" | "json";
}

export interface Compiled {
  /** Texts by path, relative to the directory; empty when there were errors. Nothing is written. */
  readonly files: ReadonlyMap<string, string>;
  /** Everything that can be found without a host, a state and the values of variables. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Never rejects for what is wrong with the configuration: that is in the diagnostics. */
export async function compile({ directory = ".", format = "hcl" }: CompileOptions = {}): Promise<Compiled> {
  const plugins = loadPlugins(directory, process.env);
  if (hasErrors(plugins)) return { files: new Map(), diagnostics: plugins };
  const configuration = await loadConfiguration(directory, { kinds });
  const { diagnostics } = configuration;
  if (hasErrors(diagnostics)) return { files: new Map(), diagnostics };
  const outputs = emitTree(configuration, format === "json" ? emitJson : emitHcl);
  const files = outputs.flatMap((one) =>
    [...one.outputs].map(([name, text]) => [join(one.directory, name), text] as const),
  );
  return { files: new Map(files), diagnostics };
}
