/**
 * @module Source files → syntax trees, whichever of the two syntaxes they are in.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../diagnostics/source.ts";
import { parseFile } from "../../hcl/parse/parse.ts";
import type { KindRegistry } from "../declare/declaration.ts";
import { parseJsonFile } from "../json/body.ts";
import type { ParsedFile } from "../model.ts";
import { isJsonSource } from "./source-set.ts";

export interface ParsedSources {
  readonly sources: readonly ParsedFile[];
  /** Syntax errors. */
  readonly diagnostics: readonly Diagnostic[];
  /** Files with syntax errors after which it is unclear what belongs to which block. */
  readonly unclear: ReadonlySet<SourceFile>;
}

/** @param files in the order in which their blocks count; outputs of ours are not among them */
export function parseSources(files: readonly SourceFile[], kinds: KindRegistry): ParsedSources {
  const diagnostics: Diagnostic[] = [];
  const unclear = new Set<SourceFile>();
  const sources = files.map((file): ParsedFile => {
    const {
      diagnostics: found,
      unclear: isUnclear,
      ...parsed
    } = isJsonSource(file.name) ? { ...parseJsonFile(file, kinds), comments: [] } : parseFile(file);
    for (const diagnostic of found) diagnostics.push(diagnostic);
    if (isUnclear) unclear.add(file);
    return { file, ...parsed };
  });
  return { sources, diagnostics, unclear };
}
