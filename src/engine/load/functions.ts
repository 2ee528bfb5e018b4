/**
 * @module The language's functions, for a configuration.
 */
import type { FunctionDefinition } from "../../eval/function-definition.ts";

/** @param _directory that relative file names start from */
export function functionsFor(_directory: string): ReadonlyMap<string, FunctionDefinition> {
  return new Map();
}
