/**
 * @module The language's functions, for a configuration.
 */
import { resolve } from "node:path";
import type { FunctionDefinition } from "../../../eval/function-definition.ts";
import { functionTable } from "../../../eval/functions/table.ts";

export interface FunctionClock {
  readonly planTime: Date;
  /** While applying. Without it, so while planning, what is different each time (`timestamp`, `uuid`) is unknown. */
  readonly now?: Date;
}

/** @param directory that relative file names start from */
export const functionsFor = (
  directory: string,
  clock: FunctionClock,
): ReadonlyMap<string, FunctionDefinition> => functionTable({ baseDirectory: resolve(directory), ...clock });
