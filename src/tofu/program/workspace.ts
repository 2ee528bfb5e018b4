/**
 * @module The engine's workspace in the current directory.
 * Source: https://opentofu.org/docs/cli/workspaces/ and https://opentofu.org/docs/cli/config/environment-variables/
 * (`TF_WORKSPACE`, `TF_DATA_DIR`)
 */
import { join } from "node:path";
import { readRegularSync } from "../../files/read-regular.ts";

/** The one that there is always, and the embedded engine's only one. */
export const defaultWorkspace = "default";

/** The workspace that `tofu workspace show` prints. */
export function selectedWorkspace(environment: NodeJS.ProcessEnv): string {
  const named = environment.TF_WORKSPACE ?? "";
  if (named !== "") return named;
  try {
    const data = environment.TF_DATA_DIR || ".terraform";
    return readRegularSync(join(data, "environment")).toString("utf8").trim() || defaultWorkspace;
  } catch {
    return defaultWorkspace;
  }
}
