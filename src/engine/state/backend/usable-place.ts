/**
 * @module The state of a configuration for the embedded engine: where it is configured to be, unless that is for other engines.
 */
import type { Configuration } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { quoted } from "../../../diagnostics/quoted.ts";
import type { Block } from "../../../hcl/tree.ts";
import type { StatePlace } from "../place.ts";
import { isOwnBackend } from "./backends.ts";
import { configuredPlace, refusedPlace } from "./configured-place.ts";
import { otherWorkspace } from "./workspace.ts";

/**
 * The place in the default workspace of the current directory. One that cannot be used is one that refuses every use with a
 * diagnostic.
 */
export async function usablePlace(
  configuration: Pick<Configuration, "backend" | "incomplete" | "foreign">,
  environment: NodeJS.ProcessEnv,
): Promise<StatePlace> {
  const problem = otherWorkspace(environment) ?? placeOfOthers(configuration);
  if (problem !== undefined) return refusedPlace(problem);
  const { place, problems } = await configuredPlace(configuration, environment);
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
