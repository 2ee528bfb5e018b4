/**
 * @module The language's functions, for a configuration.
 */
import { resolve } from "node:path";
import type { FunctionDefinition } from "../../eval/function-definition.ts";
import { functionTable } from "../../eval/functions/table.ts";

/**
 * As they are while planning: what is different each time (`timestamp`, `uuid`) is unknown.
 *
 * @param directory that relative file names start from
 */
export const functionsFor = (directory: string): ReadonlyMap<string, FunctionDefinition> =>
  functionTable({ baseDirectory: resolve(directory), planTime: new Date() });
