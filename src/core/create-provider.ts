/**
 * @module Makes the provider that both engines call.
 */
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { kinds } from "../resources/index.ts";
import type { Kind } from "../resources/kind.ts";
import { sshBlock } from "../resources/settings.ts";
import { mintRevision } from "../revision/revision.ts";
import { type BlockSchema, ofType } from "../schema/schema.ts";
import type { SessionPool } from "../ssh/session.ts";
import { mapOf, stringType } from "../values/type.ts";
import { isNull, type Value } from "../values/value.ts";
import { applyResource } from "./apply-resource.ts";
import type { Context } from "./context.ts";
import { createFactReader } from "./fact-reader.ts";
import { planResource } from "./plan-resource.ts";
import { createPlannedChanges } from "./planned-changes.ts";
import type { Provider, ProviderSchema } from "./provider.ts";
import { readResource } from "./read-resource.ts";
import { createTurns } from "./turns.ts";
import { upgradeState } from "./upgrade-state.ts";
import { validateBlock, validateResource } from "./validate.ts";

const providerBlock: BlockSchema = {
  describe: "Defaults for all resources.",
  attributes: {
    circuit_logins: ofType(mapOf(mapOf(stringType)), {
      optional: true,
      sensitive: true,
      describe:
        "Login secrets of circuits' hosts, by `CIRCUIT/HOST`: written by the compiler, so that they are not stored with the resources. An `ssh` block's `login` names an entry.",
    }),
  },
  blocks: { ssh: sshBlock },
};

/** What can be configured: the same for every provider. */
export const providerSchema: ProviderSchema = {
  provider: providerBlock,
  resources: new Map([...kinds].map(([type, kind]) => [type, kind.schema])),
};

export interface ProviderOptions {
  readonly sessions: SessionPool;
  /** Makes revisions; only tests replace it. */
  readonly mint?: () => string;
}

export function createProvider({ sessions, mint = mintRevision }: ProviderOptions): Provider {
  const context: Context = {
    kinds,
    sessions,
    mint,
    facts: createFactReader(),
    turns: createTurns(),
    plannedChanges: createPlannedChanges(),
    sshDefaults: undefined,
    circuitLogins: undefined,
    down: new Set(),
    stopped: false,
  };
  const kindOf = (type: string): Kind => {
    const kind = kinds.get(type);
    if (kind === undefined) throw new RangeError(`there is no resource type ${type}`);
    return kind;
  };
  return {
    schema: providerSchema,
    validateProviderConfig: (config) => validateBlock(providerBlock, config, []),
    configure(config) {
      const settings = isNull(config) ? undefined : (config.data as ReadonlyMap<string, Value>);
      context.sshDefaults = settings?.get("ssh");
      context.circuitLogins = settings?.get("circuit_logins");
      return [];
    },
    validateResourceConfig: (type, config) => validateResource(kindOf(type), config),
    upgradeState: (type, version, json) => upgradeState(type, kindOf(type).schema, version, json),
    readResource: (request) => readResource(context, request),
    planResource: (request) => planResource(context, request),
    applyResource: (request) => applyResource(context, request),
    async importResource(type, id) {
      return {
        imported: [],
        diagnostics: [
          errorDiagnostic(
            "Import is not supported by this version",
            `${type} "${id}" cannot be imported yet. Creating it adopts what is on the host: an object that is as wanted already is left as it is.`,
          ),
        ],
      };
    },
    stop() {
      context.stopped = true;
    },
    close: () => sessions.close(),
  };
}
