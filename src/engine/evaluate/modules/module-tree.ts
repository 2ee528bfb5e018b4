/**
 * @module Every configuration that a configuration consists of: the root module and, by the names of the calls that lead
 * there, the modules that it calls.
 */
import type { Configuration } from "../../../compiler/index.ts";

export interface CalledConfiguration {
  readonly configuration: Configuration;
  /** Names of the calls from the root module inwards; empty for the root module. */
  readonly path: readonly string[];
}

/** The root module first. A module that is called twice is there twice. */
export function* configurationsOf(
  configuration: Configuration,
  path: readonly string[] = [],
): Iterable<CalledConfiguration> {
  yield { configuration, path };
  for (const call of configuration.modules.values()) {
    if (call.configuration !== undefined) yield* configurationsOf(call.configuration, [...path, call.name]);
  }
}
