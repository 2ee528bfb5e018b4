/**
 * @module Where a command finds the state: `-state`, the configured backend, or another engine.
 */
import type { Configuration } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import {
  configuredPlace,
  filePlace,
  isOwnBackend,
  type Peeked,
  peekState,
  refusedPlace,
  type StatePlace,
} from "../../engine/index.ts";
import type { Block } from "../../hcl/tree.ts";
import { chosenEngine } from "../../tofu/program/program.ts";
import { type Options, parseDuration } from "../command-line/option.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { otherWorkspace } from "./workspace.ts";

/**
 * The place of the state: that of `-state`, or the configured one in the default workspace. A place that cannot be used
 * is one that refuses every use with a diagnostic.
 *
 * @param known the configuration, if it was read already
 */
export async function statePlaceOf(
  options: Options,
  known?: Pick<Configuration, "backend" | "incomplete" | "foreign">,
): Promise<StatePlace> {
  const path = options.value("state");
  if (path !== undefined) return filePlace(path);
  const problem = otherWorkspace(process.env);
  if (problem !== undefined) return refusedPlace(problem);
  const configuration = known ?? (await readConfiguration({ lists: [] })).configuration;
  const elsewhere = placeOfOthers(configuration);
  if (elsewhere !== undefined) return refusedPlace(elsewhere);
  const { place, problems } = await configuredPlace(configuration, process.env);
  return place ?? refusedPlace(problems[0]!);
}

/** The error about a state in a place that only other engines have: a local state file would be another one. */
function placeOfOthers({
  backend,
  foreign,
}: Pick<Configuration, "backend" | "foreign">): Diagnostic | undefined {
  const isCloud = foreign.some(({ block }) => isCloudBlock(block));
  const isElsewhere = backend !== undefined && !isOwnBackend(backend.type);
  if (!isCloud && !isElsewhere) return undefined;
  const name = isElsewhere ? `backend ${quoted(backend.type)}` : "cloud";
  return errorDiagnostic(
    "Not for the embedded engine",
    `The state is in ${name}, where the embedded engine cannot look at it in this version. Use -engine=tofu. -state=PATH takes a state in a file.`,
  );
}

/** Whether it is `terraform { cloud { … } }`. */
const isCloudBlock = ({ type, body }: Block): boolean =>
  (type === "terraform" || type === "tofu") &&
  body.items.some((item) => item.kind === "block" && item.type === "cloud");

/** `-lock-timeout` in milliseconds: 0, no waiting, unless given. */
export const lockTimeoutOf = (options: Options): number =>
  parseDuration(options.value("lock-timeout") ?? "0s") ?? 0;

/** The stored state, or that of the engine that was chosen for the command. */
export async function readStored(options: Options): Promise<Peeked> {
  const engine = options.has("engine") ? chosenEngine(options.value("engine"), process.env) : undefined;
  const fromEngine = engine !== undefined && options.value("state") === undefined;
  if (!fromEngine) return peekState(await statePlaceOf(options));
  const { pullState } = await import("../../tofu/state/external-state.ts");
  return pullState(engine);
}
