/**
 * @module The workspace that OpenTofu would use here. The embedded engine has the default one only, and must not take its
 * state for another's: everything of the other would be planned anew.
 * Source: OpenTofu's documentation of workspaces and of `TF_WORKSPACE` and `TF_DATA_DIR`.
 */
import { join } from "node:path";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { readRegularSync } from "../../../files/read-regular.ts";

/** Why the state of this directory is not to be used; undefined where the default workspace is chosen. */
export function otherWorkspace(environment: NodeJS.ProcessEnv, directory = "."): Diagnostic | undefined {
  const { TF_WORKSPACE: fromEnvironment = "", TF_DATA_DIR: dataDirectory = "" } = environment;
  const file = join(directory, dataDirectory === "" ? ".terraform" : dataDirectory, "environment");
  const name = fromEnvironment === "" ? chosenIn(file) : fromEnvironment;
  if (name === "" || name === "default") return undefined;
  const chosen = fromEnvironment === "" ? file : "TF_WORKSPACE";
  return errorDiagnostic(
    `Workspace "${name}" is not for the embedded engine`,
    `${chosen} chooses it, and the embedded engine has the workspace default only. Use -engine=tofu; or, where its state is a file of this directory, -state=terraform.tfstate.d/${name}/terraform.tfstate. Nothing was done.`,
  );
}

function chosenIn(file: string): string {
  try {
    return readRegularSync(file).toString("utf8").trim();
  } catch {
    return "";
  }
}
