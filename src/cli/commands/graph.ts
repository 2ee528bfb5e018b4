/**
 * @module `conn3x graph`
 */
import { providerSchema } from "../../core/index.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { resourceGraph } from "../../engine/index.ts";
import type { Context, ExitCode } from "../command.ts";
import { readConfiguration } from "../configuration/configuration.ts";

export async function runGraph({ terminal }: Context): Promise<ExitCode> {
  const { configuration } = await readConfiguration({ lists: [] });
  const found = resourceGraph(configuration, providerSchema);
  const diagnostics = hasErrors(configuration.diagnostics) ? configuration.diagnostics : found.diagnostics;
  terminal.report(diagnostics.filter(({ severity }) => severity === "error"));
  if (hasErrors(diagnostics)) return 1;
  terminal.data(dotText(found.graph));
  return 0;
}

/** In the language of Graphviz, each arrow from a resource to one that it waits for. */
function dotText(graph: ReadonlyMap<string, readonly string[]>): string {
  const nodes = [...graph.keys()].map((address) => `  ${quoted(address)} [label=${quoted(address)}];\n`);
  const arrows = [...graph].flatMap(([address, after]) =>
    after.map((other) => `  ${quoted(address)} -> ${quoted(other)};\n`),
  );
  return `digraph G {\n  rankdir = "RL";\n  node [shape = rect, fontname = "sans-serif"];\n${nodes.join("")}${arrows.join("")}}\n`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
