/**
 * @module How the hosts are logged in to that things are imported from. Another engine gives the provider an id and nothing
 * else; what the configuration says of its host is added here, as the embedded engine does it.
 */
import { namedTarget, type Provider } from "../../core/index.ts";
import {
  configuredLogins,
  fromElsewhere,
  type ImportTarget,
  importLogin,
  type Loaded,
  type Logins,
} from "../../engine/index.ts";
import { resourceNameOf } from "../../values/address.ts";

/** What is to be imported, and how hosts are logged in to. */
export interface ImportSource {
  readonly targets: readonly ImportTarget[];
  readonly logins: Logins;
}

export const importSource = (targets: readonly ImportTarget[], loaded: Loaded): ImportSource => ({
  targets,
  logins: configuredLogins(loaded),
});

/** @param source asked at the first import: most runs have none */
export function withImportLogins(provider: Provider, source: () => ImportSource): Provider {
  let known: ImportSource | undefined;
  return {
    ...provider,
    async importResource(type, id) {
      known ??= source();
      const { targets, logins } = known;
      const target = targets.find((one) => one.id === id && resourceNameOf(one.resource).type === type);
      const named = namedTarget(id);
      const login =
        target !== undefined
          ? importLogin(target, logins)
          : named && logins.ofHost(named.circuit, named.host);
      const answer = await provider.importResource(type, id, login);
      const [first] = answer.imported;
      const elsewhere = target && first && fromElsewhere(target, logins, first);
      return elsewhere === undefined
        ? answer
        : { ...answer, diagnostics: [...answer.diagnostics, elsewhere] };
    },
  };
}
