/**
 * @module What the engine needs in the directory before it can plan: the compiled circuits, and whatever its `init`
 * fetches.
 */
import { type Configuration, emitHcl, writeOutputs } from "../../compiler/index.ts";
import { providerSchema } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { type VariableInput, validateHosts } from "../../engine/index.ts";
import { takeInJournal } from "../state/external-state.ts";
import type { Engine } from "./engine.ts";

const provider = { schema: providerSchema };

/**
 * Writes what the circuits compile to, those of local modules included, where it is not up to date.
 *
 * @param inputs values of variables, before a plan: what they make of hosts is checked, which the engine takes for maps of
 *   anything
 * @returns what was wrong; for a configuration with errors these, and nothing is written: what they leave of it would
 *   replace good files
 */
export async function refreshOutputs(
  configuration: Configuration,
  inputs?: readonly VariableInput[],
): Promise<readonly Diagnostic[]> {
  const all = [...withModules(configuration)];
  const errors = all.flatMap((each) => each.diagnostics).filter((found) => hasErrors([found]));
  if (errors.length > 0) return [...new Set(errors)];
  const diagnostics: Diagnostic[] = [];
  if (inputs !== undefined)
    diagnostics.push(...validateHosts({ configuration, variables: inputs, provider }));
  if (hasErrors(diagnostics)) return diagnostics;
  for (const each of all) {
    diagnostics.push(...(await writeOutputs(each.directory, emitHcl(each))).diagnostics);
  }
  return diagnostics;
}

/** What a run needs of its directory: the compiled circuits, and what a killed run of the embedded engine has left. */
export const preparation =
  ({ configuration, inputs, statePath, lockTimeout }: Prepared) =>
  async (): Promise<readonly Diagnostic[]> => [
    ...(await refreshOutputs(configuration, inputs)),
    ...(await takeInJournal({ configuration, statePath }, lockTimeout)),
  ];

interface Prepared {
  readonly configuration: Configuration;
  /** Before a plan: values of variables. */
  readonly inputs?: readonly VariableInput[];
  readonly statePath: string | undefined;
  /** Milliseconds. */
  readonly lockTimeout: number;
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
export const needsInitialising = ({ foreign, modules, backend }: Configuration): boolean =>
  foreign.length > 0 || modules.size > 0 || backend !== undefined;

/** Lets the engine fetch other providers, modules and the backend's configuration. */
export async function initialise(
  engine: Engine,
  words: readonly string[] = [],
): Promise<readonly Diagnostic[]> {
  const command = ["init", "-input=false", "-json", ...words];
  const { status, diagnostics } = await engine.stream(command, () => undefined);
  if (status === 0) return [];
  const { product, path } = engine.program;
  const failed = errorDiagnostic(
    `${product} could not be initialised`,
    `"${path} init" prepares the directory: other providers, modules and the backend. It failed, and its errors follow.`,
  );
  return hasErrors(diagnostics) ? [failed, ...diagnostics] : [failed];
}
