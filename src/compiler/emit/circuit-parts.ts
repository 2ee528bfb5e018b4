/**
 * @module The blocks that each circuit compiles to, in the order in which they are written.
 */
import { basename } from "node:path";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Block } from "../../hcl/tree.ts";
import type { Circuit, Configuration, ParsedFile } from "../model.ts";
import { hostsLocalName } from "../names.ts";
import { sourceForm } from "../source/source-set.ts";
import { localsBlock, movedBlock, resourceBlock } from "./resource-block.ts";

/** A block that the compiler generates. */
export interface CompiledBlock {
  readonly block: Block;
  /** `main.circuit.hcl:12` */
  readonly origin: string;
}

/** The files that are compiled: OpenTofu reads the others as they are. */
export const circuitFiles = (configuration: Configuration): readonly ParsedFile[] =>
  configuration.sources.filter((source) => sourceForm(source.file.name) === "circuit");

/** Name of the file that a circuit file compiles to, in the same directory. */
export const outputName = (source: ParsedFile, format: "hcl" | "json"): string =>
  basename(source.file.name).replace(
    /\.circuit\.hcl(\.json)?$/,
    format === "hcl" ? ".circuit.tf" : ".circuit.tf.json",
  );

/** The blocks of the circuit at a `circuit` block: hosts, facts, steps, handlers, moves. */
export function compiledBlocks(block: Block, configuration: Configuration): readonly CompiledBlock[] {
  const circuit = configuration.circuits.find((one) => one.range === block.header);
  if (circuit === undefined) return [];
  const hosts = configuration.locals.get(hostsLocalName(circuit.name))!;
  return [
    { block: localsBlock(hosts), origin: originOf(hosts.range) },
    ...membersOf(circuit, configuration).map((resource) => ({
      block: resourceBlock(resource),
      origin: originOf(resource.range),
    })),
    ...circuit.moved
      .filter(({ hosts }) => hosts === undefined)
      .map((moved) => ({ block: movedBlock(moved), origin: originOf(moved.range) })),
  ];
}

function membersOf(circuit: Circuit, configuration: Configuration) {
  const byAddress = new Map(configuration.resources.map((resource) => [resource.address, resource]));
  const members = [...circuit.steps, ...circuit.handlers].map((member) => member.resource);
  const all = circuit.facts === undefined ? members : [circuit.facts, ...members];
  return all.map((address) => byAddress.get(address)!);
}

/** Without the directory: the same wherever the compiler is called from. */
const originOf = (range: SourceRange): string =>
  `${basename(range.file.name)}:${range.file.lineOf(range.start)}`;
