/**
 * @module The dependency graph of resources, without a state and without hosts.
 */
import type { Configuration } from "../compiler/index.ts";
import type { ProviderSchema } from "../core/index.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { load } from "./evaluate/load.ts";
import { functionsFor } from "./evaluate/names/functions.ts";
import { Problems } from "./evaluate/problems.ts";
import { transitive } from "./graph/order.ts";

/** @returns by address, dependencies first, the resources that each waits for and that none of the others waits for */
export function resourceGraph(
  configuration: Configuration,
  schema: ProviderSchema,
): {
  readonly graph: ReadonlyMap<string, readonly string[]>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const problems = new Problems();
  const planTime = new Date();
  const functions = functionsFor(configuration.directory, { planTime });
  const { resources } = load(
    { configuration, schema, variables: [], functions, planTime, unset: "unknown" },
    problems,
  );
  const all = transitive(new Map([...resources].map(([address, { after }]) => [address, after])));
  const graph = new Map(
    [...resources].map(([address, { after }]) => {
      const others = (one: string) => after.some((other) => other !== one && all.get(other)?.has(one));
      return [address, after.filter((one) => !others(one))] as const;
    }),
  );
  return { graph, diagnostics: problems.all };
}
