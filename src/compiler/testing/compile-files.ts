/**
 * @module For tests: compiles files that exist only in memory.
 */
import type { SourceFile } from "../../diagnostics/source.ts";
import { type CompileOptions, compileSources } from "../compile.ts";
import type { Configuration } from "../model.ts";
import { parseSources } from "../source/parse-sources.ts";

/** @param files in the order in which their blocks count; outputs of ours are not among them */
export const compileFiles = (files: readonly SourceFile[], options: CompileOptions): Configuration =>
  compileSources(parseSources(files, options.kinds), options);
