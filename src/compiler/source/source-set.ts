/**
 * @module Which files of a directory make up its configuration.
 */
import { basename } from "node:path";

/** Files of circuits are compiled; OpenTofu reads the others. */
export type SourceForm = "circuit" | "tofu";

const endings: readonly (readonly [string, SourceForm])[] = [
  [".circuit.hcl", "circuit"],
  [".tf", "tofu"],
  [".tofu", "tofu"],
];

/** The form of a file by its name, with or without its directory; undefined for files that do not belong to a configuration. */
export function sourceForm(name: string): SourceForm | undefined {
  const base = basename(name);
  if (base.startsWith(".") || base.endsWith("~") || (base.startsWith("#") && base.endsWith("#")))
    return undefined;
  const plain = isJsonSource(base) ? base.slice(0, -".json".length) : base;
  return endings.find(([ending]) => plain.endsWith(ending))?.[1];
}

/** Whether a file of the configuration is written in JSON. */
export const isJsonSource = (name: string): boolean => name.endsWith(".json");

/**
 * The names of the files of a configuration, sorted. As in OpenTofu, `a.tofu` replaces `a.tf`.
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
