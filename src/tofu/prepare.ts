/**
 * @module What the engine needs in the directory before it can plan: the compiled circuits, and whatever its `init`
 * fetches.
 */
import { emitHcl } from "../compiler/emit/hcl.ts";
import type { Configuration } from "../compiler/model.ts";
import { writeOutputs } from "../compiler/write-outputs.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import type { Engine } from "./engine.ts";

/** Writes what the circuits compile to, those of local modules included, where it is not up to date. */
export async function refreshOutputs(configuration: Configuration): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const each of withModules(configuration)) {
    diagnostics.push(...(await writeOutputs(each.directory, emitHcl(each))).diagnostics);
  }
  return diagnostics;
}

/** The configuration and those of the local modules that it calls, each once. */
function withModules(
  configuration: Configuration,
  found = new Set<Configuration>(),
): ReadonlySet<Configuration> {
  if (found.has(configuration)) return found;
  found.add(configuration);
  for (const { configuration: module } of configuration.modules.values()) {
    if (module !== undefined) withModules(module, found);
  }
  return found;
}

/** Whether the engine has to fetch anything: our own provider is attached and needs no preparation. */
export const needsInitialising = ({ foreign, modules }: Configuration): boolean =>
  foreign.length > 0 || modules.size > 0;

/** Lets the engine fetch other providers, modules and the backend's configuration. */
export async function initialise(engine: Engine): Promise<readonly Diagnostic[]> {
  const { status, diagnostics } = await engine.stream(["init", "-input=false", "-json"], () => undefined);
  if (status === 0) return [];
  const { product, path } = engine.program;
  const failed = errorDiagnostic(
    `${product} could not be initialised`,
    `"${path} init" prepares the directory: other providers, modules and the backend. It failed, and its errors follow.`,
  );
  return hasErrors(diagnostics) ? [failed, ...diagnostics] : [failed];
}
