/**
 * @module Where a command finds the state: `-state`, the configured backend, or another engine.
 */

import type { Configuration } from "../../compiler/index.ts";
import { fileBackend, type Peeked, peekState, type StateBackend, usableBackend } from "../../engine/index.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import { type Options, parseDuration } from "../command-line/option.ts";
import type { EngineOption, LockOption, StateOption } from "../command-line/shared-options.ts";
import { readConfiguration } from "../configuration/configuration.ts";

/**
 * The backend of the state: the file of `-state`, or the configured one in the default workspace. One that cannot be
 * used refuses every use with a diagnostic.
 *
 * @param known the configuration, if it was read already
 */
export async function stateBackendOf(
  options: Options<StateOption>,
  known?: Pick<Configuration, "backend" | "incomplete" | "foreign">,
): Promise<StateBackend> {
  const path = options.value("state");
  if (path !== undefined) return fileBackend(path);
  const configuration = known ?? (await readConfiguration({ lists: [] })).configuration;
  return usableBackend(configuration, process.env);
}

/** `-lock-timeout` in milliseconds: 0, no waiting, unless given. */
export const lockTimeoutOf = (options: Options<LockOption>): number =>
  parseDuration(options.value("lock-timeout") ?? "0s") ?? 0;

/** The stored state, or that of the engine that was chosen for the command. */
export async function readStored(options: Options<StateOption | EngineOption>): Promise<Peeked> {
  const engine = chosenEngine(options.value("engine"), process.env);
  const fromEngine = engine !== undefined && options.value("state") === undefined;
  if (!fromEngine) return peekState(await stateBackendOf(options));
  const { pullState } = await import("../../tofu/state/external-state.ts");
  return pullState(engine);
}
