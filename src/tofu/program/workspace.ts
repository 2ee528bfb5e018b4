/**
 * @module The engine's workspace in the current directory.
 * Source: https://opentofu.org/docs/cli/workspaces/ and https://opentofu.org/docs/cli/config/environment-variables/
 * (`TF_WORKSPACE`, `TF_DATA_DIR`)
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The one that there is always, and the embedded engine's only one. */
export const defaultWorkspace = "default";

/** As `tofu workspace show` says. */
export function selectedWorkspace(environment: NodeJS.ProcessEnv): string {
  const named = environment.TF_WORKSPACE ?? "";
  if (named !== "") return named;
  try {
    const data = environment.TF_DATA_DIR || ".terraform";
    return readFileSync(join(data, "environment"), "utf8").trim() || defaultWorkspace;
  } catch {
    return defaultWorkspace;
  }
}
