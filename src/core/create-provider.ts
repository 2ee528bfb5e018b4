/**
 * @module Makes the provider that both engines call.
 */

import { setMaxListeners } from "node:events";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { PlainError } from "../diagnostics/unexpected-error.ts";
import { providerBlock } from "../login/index.ts";
import { kinds as registeredKinds } from "../resources/index.ts";
import type { Kind } from "../resources/kind.ts";
import { fieldsOf } from "../revision/proposal.ts";
import { mintRevision } from "../revision/revision.ts";
import type { ResourceSchema } from "../schema/schema.ts";
import type { SessionPool } from "../ssh/index.ts";
import { isNull } from "../values/value.ts";
import { applyResource } from "./apply/apply-resource.ts";
import { createFirstWrites } from "./apply/first-writes.ts";
import { createRenewals } from "./apply/renewals.ts";
import { createRunObjects } from "./apply/run-objects.ts";
import { createTurns } from "./apply/turns.ts";
import { type Context, configuredWith } from "./context.ts";
import { createSecrets } from "./hosts/conceal.ts";
import { importResource } from "./import/import-resource.ts";
import { lookForExisting } from "./plan/plan-check.ts";
import { planResource } from "./plan/plan-resource.ts";
import { createPlannedChanges, type PlannedChanges } from "./plan/planned-changes.ts";
import type { Provider, ProviderSchema } from "./provider.ts";
import { createFactReader } from "./read/fact-reader.ts";
import { createKnownNames } from "./read/known-names.ts";
import { createMachines } from "./read/machines.ts";
import { readResource } from "./read/read-resource.ts";
import { createSlowHashes } from "./stored/slow-hash.ts";
import { upgradeState } from "./stored/upgrade-state.ts";
import { validateBlock, validateResource } from "./validate/validate.ts";

/** Made when it is first asked for, and again when a kind has come. */
function schemaOf(kinds: ReadonlyMap<string, Kind>): ProviderSchema {
  let resources = new Map<string, ResourceSchema>();
  return {
    provider: providerBlock,
    get resources() {
      if (resources.size !== kinds.size)
        resources = new Map([...kinds].map(([type, kind]) => [type, kind.schema]));
      return resources;
    },
  };
}

/** The schema of the kinds of this process: the shipped ones, and those of plug-ins. */
export const providerSchema = schemaOf(registeredKinds);

export interface ProviderOptions {
  readonly sessions: SessionPool;
  /** Makes revisions; only tests replace it. */
  readonly mint?: () => string;
  /** Kinds by type. Default: all kinds of this process. */
  readonly kinds?: ReadonlyMap<string, Kind>;
  /** What an earlier provider of the same run has planned; by default nothing. */
  readonly plannedChanges?: PlannedChanges;
  /** What went wrong before the schema was complete: whoever asks for it gets these instead. */
  readonly problems?: readonly Diagnostic[];
}

export function createProvider({
  sessions,
  mint = mintRevision,
  kinds = registeredKinds,
  plannedChanges = createPlannedChanges(),
  problems = [],
}: ProviderOptions): Provider {
  const stopping = new AbortController();
  // One listener for each host that is waited for.
  setMaxListeners(0, stopping.signal);
  const names = createKnownNames();
  const context: Context = {
    kinds,
    sessions,
    mint,
    facts: createFactReader(names),
    names,
    machines: createMachines(),
    turns: createTurns(),
    hashes: createSlowHashes(),
    plannedChanges,
    objects: createRunObjects(names),
    writes: createFirstWrites(),
    renewals: createRenewals(),
    stopping: stopping.signal,
    configured: { now: configuredWith(undefined, undefined) },
    down: new Set(),
    entered: new Set(),
  };
  const kindOf = (type: string): Kind => {
    const kind = kinds.get(type);
    if (kind === undefined) throw new PlainError(`there is no resource type ${type}`);
    return kind;
  };
  const secrets = createSecrets(sessions);
  const hiding = <R extends { readonly diagnostics: readonly Diagnostic[] }>(
    response: R,
    own: readonly string[],
  ): R =>
    response.diagnostics.length === 0
      ? response
      : { ...response, diagnostics: secrets.hide(response.diagnostics, own) };
  return {
    schema: kinds === registeredKinds ? providerSchema : schemaOf(kinds),
    problems,
    validateProviderConfig: (config) =>
      secrets.hide(validateBlock(providerBlock, config, []), secrets.learn(providerBlock, config)),
    configure(config) {
      const settings = fieldsOf(config);
      secrets.learn(providerBlock, config);
      context.configured.now = configuredWith(settings?.get("ssh"), settings?.get("circuit_logins"));
      return [];
    },
    validateResourceConfig(type, config) {
      const kind = kindOf(type);
      return secrets.hide(validateResource(kind, config), secrets.learn(kind.schema, config));
    },
    upgradeState: (type, version, json) => upgradeState(type, kindOf(type).schema, version, json),
    async readResource(request) {
      const { schema } = kindOf(request.type);
      const own = secrets.learn(schema, request.current, request.sensitivePaths);
      return hiding(await readResource(context, request), own);
    },
    async planResource(request) {
      const { schema } = kindOf(request.type);
      const own = [
        ...secrets.learn(schema, request.config, request.sensitivePaths),
        ...secrets.learn(schema, request.prior),
      ];
      return hiding(await planResource(context, request), own);
    },
    lookForExisting(request) {
      return lookForExisting(context, kindOf(request.type), request);
    },
    async applyResource(request) {
      const { planned, prior, config, sensitivePaths } = request;
      const { schema } = kindOf(request.type);
      const own = [
        ...secrets.learn(schema, isNull(planned) ? prior : planned, sensitivePaths),
        // Write-only values are only in the configuration.
        ...secrets.learn(schema, config),
      ];
      return hiding(await applyResource(context, request), own);
    },
    async importResource(type, id, login) {
      const ssh = kindOf(type).schema.blocks.ssh;
      const own = ssh === undefined || login === undefined ? [] : secrets.learn(ssh, login);
      return hiding(await importResource(context, type, id, login), own);
    },
    stop() {
      stopping.abort();
    },
    close: () => sessions.close(),
  };
}
