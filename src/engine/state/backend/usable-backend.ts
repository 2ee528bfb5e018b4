/**
 * @module The state of a configuration for the embedded engine: where it is configured to be, unless that is for other engines.
 */
import type { Configuration } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { quoted } from "../../../diagnostics/quoted.ts";
import type { Block } from "../../../hcl/tree.ts";
import type { StateBackend } from "../state-backend.ts";
import { isOwnBackend } from "./backends.ts";
import { configuredBackend, refusedBackend } from "./configured-backend.ts";
import { otherWorkspace } from "./workspace.ts";

/**
 * The backend in the default workspace of the current directory. One that cannot be used refuses every use with a
 * diagnostic.
 */
export async function usableBackend(
  configuration: Pick<Configuration, "backend" | "incomplete" | "foreign">,
  environment: NodeJS.ProcessEnv,
): Promise<StateBackend> {
  const problem = otherWorkspace(environment) ?? backendOfOthers(configuration);
  if (problem !== undefined) return refusedBackend(problem);
  const { usable, problems } = await configuredBackend(configuration, environment);
  return usable ?? refusedBackend(problems[0]!);
}

/** The error about a state in a backend that only other engines have: a local state file would be another one. */
function backendOfOthers({
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
