/**
 * @module Which files of a directory make up its configuration.
 */
import { readHeader } from "./generated.ts";

export type SourceForm = "circuit" | "tofu" | "json";

const endings: readonly (readonly [string, SourceForm])[] = [
  [".circuit.hcl", "circuit"],
  [".tf", "tofu"],
  [".tofu", "tofu"],
  [".circuit.hcl.json", "json"],
  [".tf.json", "json"],
  [".tofu.json", "json"],
];

/** What the name says the file is; undefined for one that does not belong to a configuration. */
export function sourceForm(name: string): SourceForm | undefined {
  if (name.startsWith(".") || name.endsWith("~") || (name.startsWith("#") && name.endsWith("#")))
    return undefined;
  return endings.find(([ending]) => name.endsWith(ending))?.[1];
}

/**
 * The names that count, sorted. As in OpenTofu `a.tofu` takes the place of `a.tf` beside it.
 *
 * @param names of all files of the directory
 */
export function sourceNames(names: Iterable<string>): readonly string[] {
  const all = [...names].filter((name) => sourceForm(name) !== undefined);
  const present = new Set(all);
  return all
    .filter((name) => !present.has(name.replace(/\.tf(\.json)?$/, ".tofu$1")) || !/\.tf(\.json)?$/.test(name))
    .sort();
}

/** Whether OpenTofu merges the file into the others instead of adding it. */
export const isOverride = (name: string): boolean => /(^|_)override\.(tf|tofu)(\.json)?$/.test(name);

/** Whether the compiler wrote the file: then the configuration says the same already. */
export const isGenerated = (text: string): boolean => readHeader(text) !== undefined;
