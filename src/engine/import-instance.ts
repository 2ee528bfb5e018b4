/**
 * @module Imports one existing object into the state, without a plan: `conn3x import`.
 */

import type { Configuration } from "../compiler/index.ts";
import type { Provider } from "../core/index.ts";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { formatAddress, instanceAddress, parseAddress, resourceNameOf } from "../values/address.ts";
import { storedRefreshed } from "./act/stored-refreshed.ts";
import { configuredLogins } from "./decide/logins.ts";
import { type ImportTarget, imported, notConfigured } from "./decide/stored/imports.ts";
import { refresh } from "./decide/stored/refresh.ts";
import { type Loaded, load } from "./evaluate/load.ts";
import { functionsFor } from "./evaluate/names/functions.ts";
import { createWorld } from "./evaluate/names/world.ts";
import { Problems } from "./evaluate/problems.ts";
import { expandResource, hasKey } from "./evaluate/resources/expansion.ts";
import { configureProvider } from "./evaluate/resources/provider-config.ts";
import { nothingKnown } from "./evaluate/resources/resource-values.ts";
import type { VariableInput } from "./evaluate/variables/variable-input.ts";
import type { EventSink } from "./event.ts";
import { editState } from "./state/edit.ts";
import type { StateInstance } from "./state/state.ts";
import type { StateLocation } from "./state/state-backend.ts";

export interface ImportOptions {
  readonly configuration: Configuration;
  readonly provider: Provider;
  /** Lowest precedence first. */
  readonly variables: readonly VariableInput[];
  readonly statePath: StateLocation;
  /** Milliseconds to wait for a lock that somebody else holds. */
  readonly lockTimeout: number;
  /** Where it goes: `conn3x_file.web__config["web1"]`. */
  readonly address: string;
  readonly id: string;
  readonly events: EventSink;
}

/**
 * What an `import` block does, and nothing else: where the configuration wants something else than the host has, the next
 * plan says so. The state is written when everything went right, and only then.
 *
 * @returns what went wrong, and warnings
 */
export async function importInstance(options: ImportOptions): Promise<readonly Diagnostic[]> {
  const { configuration, provider, variables, statePath, lockTimeout } = options;
  const problems = new Problems();
  const target = importTarget(options, problems);
  const planTime = new Date();
  const functions = functionsFor(configuration.directory, { planTime });
  const loaded = load({ configuration, schema: provider.schema, variables, functions, planTime }, problems);
  if (!problems.failed) configureProvider(configuration, loaded.surroundings, provider, problems);
  if (!problems.failed && target !== undefined) checkConfigured(target, loaded, problems);
  if (problems.failed || target === undefined) return problems.all;
  return editState({ path: statePath, operation: "import", lockTimeout }, async (store) => {
    const { resource, key } = target;
    if (store.state.get(resource, key) !== undefined)
      problems.report(isThere(instanceAddress(resource, key)));
    const instance = problems.failed ? undefined : await readImported(target, loaded, options, problems);
    if (problems.failed || instance === undefined) return problems.all;
    const { module, type, name } = resourceNameOf(resource);
    store.put(type, name, instance, module);
    return problems.all;
  });
}

/** Where the object goes. Reports an address that is none. */
export function importTarget(
  { address, id }: Pick<ImportOptions, "address" | "id">,
  problems: Problems,
): ImportTarget | undefined {
  const parsed = parseAddress(address);
  if (parsed !== undefined)
    return { resource: formatAddress({ ...parsed, key: undefined }), key: parsed.key, id };
  const quotes = /\[[^"\d]/.test(address)
    ? ` The shell takes quotes away: write '${address.replace(/\[(.*?)\]/g, '["$1"]')}'.`
    : "";
  const detail = `${address} has not the form TYPE.NAME, TYPE.NAME["KEY"] or module.NAME.TYPE.NAME.${quotes}`;
  problems.report(errorDiagnostic("That is no address of an instance", detail));
  return undefined;
}

/**
 * Reports what is not configured. Which keys a resource has may depend on what is not known here: the next plan sees
 * then.
 */
export function checkConfigured(target: ImportTarget, loaded: Loaded, problems: Problems): void {
  const configured = loaded.resources.get(target.resource);
  if (configured === undefined) {
    problems.report(notConfigured(target));
    return;
  }
  const { resource, module } = configured;
  const world = createWorld({ ...loaded.surroundings, fixed: new Map() }, nothingKnown, () => undefined);
  const { expansion } = expandResource(resource, world.scope({}, undefined, module));
  if (expansion !== undefined && !hasKey(expansion, target.key)) problems.report(notConfigured(target));
}

/** Imports it, and reads it as every plan does. */
async function readImported(
  target: ImportTarget,
  loaded: Loaded,
  { provider, events }: ImportOptions,
  problems: Problems,
): Promise<StateInstance | undefined> {
  const { resource, key } = target;
  const logins = configuredLogins(loaded);
  const instance = await imported(target, loaded, logins, provider, problems);
  if (instance === undefined) return undefined;
  const stored = { ...resourceNameOf(resource), instances: new Map([[key, instance]]) };
  const found = await refresh(
    {
      loaded,
      provider,
      resources: new Map([[resource, stored]]),
      reads: () => true,
      imports: new Map([[instanceAddress(resource, key), target]]),
      logins,
      events,
    },
    problems,
  );
  const read = found.get(resource)?.get(key);
  return read === undefined ? undefined : storedRefreshed(read, loaded);
}

const isThere = (address: string): Diagnostic =>
  errorDiagnostic(
    "There is something at this address",
    `${address} is in the state already. To import to it, forget that first: conn3x state rm '${address}'.`,
    { address },
  );
