/**
 * @module The hosts of a configuration's circuits with their logins, without a state and without connecting to any.
 */
import type { Configuration } from "../compiler/index.ts";
import { configuredLogin, type NoLogin, type Provider, type ProviderLogins } from "../core/index.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { inModule } from "../values/address.ts";
import { isNull } from "../values/value.ts";
import { isEntries } from "../values/walk.ts";
import { configuredLogins } from "./decide/logins.ts";
import { type Loaded, type LoadedResource, load } from "./evaluate/load.ts";
import { functionsFor } from "./evaluate/names/functions.ts";
import { createWorld } from "./evaluate/names/world.ts";
import { Problems } from "./evaluate/problems.ts";
import { expandResource, keysOf } from "./evaluate/resources/expansion.ts";
import { configureProvider } from "./evaluate/resources/provider-config.ts";
import { nothingKnown } from "./evaluate/resources/resource-values.ts";
import { subjectOf } from "./evaluate/resources/subject.ts";
import type { VariableInput } from "./evaluate/variables/variable-input.ts";

/** As the session pool takes it. */
type Login = Exclude<ReturnType<typeof configuredLogin>, NoLogin>;

export interface HostName {
  readonly circuit: string;
  readonly host: string;
}

export interface CircuitHost extends HostName {
  readonly login: Login;
}

export interface HostsOptions {
  readonly configuration: Configuration;
  readonly provider: Provider;
  /** Lowest precedence first. */
  readonly variables: readonly VariableInput[];
}

/**
 * Every host once for each circuit that has it, in the configuration's order, with the login of the first step on it
 * whose login is known.
 */
export function circuitHosts(options: HostsOptions): {
  readonly hosts: readonly CircuitHost[];
  /** The hosts whose login is not known yet. */
  readonly withoutLogin: readonly HostName[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { configuration, provider, variables } = options;
  const problems = new Problems();
  const planTime = new Date();
  const functions = functionsFor(configuration.directory, { planTime });
  const loaded = load({ configuration, schema: provider.schema, variables, functions, planTime }, problems);
  let configured: ProviderLogins = { sshDefaults: undefined, circuitLogins: undefined };
  const keeping: Provider = {
    ...provider,
    configure: (config) => {
      const settings = isEntries(config.data) ? config.data : undefined;
      configured = { sshDefaults: settings?.get("ssh"), circuitLogins: settings?.get("circuit_logins") };
      return provider.configure(config);
    },
  };
  if (!problems.failed) configureProvider(configuration, loaded.surroundings, keeping, problems);
  if (problems.failed) return { hosts: [], withoutLogin: [], diagnostics: problems.all };
  const world = createWorld(loaded.surroundings, nothingKnown, (problem) => problems.report(problem));
  const logins = configuredLogins(loaded);
  const found = new Map<string, CircuitHost>();
  const unknown = new Map<string, HostName>();
  for (const { resource, module } of inSourceOrder(loaded)) {
    const scope = world.scope({}, undefined, module);
    const { expansion, diagnostics } = expandResource(resource, scope);
    problems.reportAll(diagnostics);
    for (const key of expansion === undefined ? [] : keysOf(expansion)) {
      const { circuit, host } = subjectOf(resource, resource.address, key, expansion);
      if (circuit === undefined || host === undefined || found.has(`${circuit}/${host}`)) continue;
      const ssh = logins.of(resource.address, key);
      const login = ssh === undefined || isNull(ssh) ? undefined : configuredLogin(configured, ssh);
      if (login !== undefined && !("problem" in login)) {
        found.set(`${circuit}/${host}`, { circuit, host, login: { ...login, host } });
      } else unknown.set(`${circuit}/${host}`, { circuit, host });
    }
  }
  return {
    hosts: [...found.values()],
    withoutLogin: [...unknown].flatMap(([endpoint, one]) => (found.has(endpoint) ? [] : [one])),
    diagnostics: problems.all,
  };
}

/** The resources in the order of the configuration, module after module. */
const inSourceOrder = ({ modules, resources }: Loaded): readonly LoadedResource[] =>
  modules.flatMap(({ address, configuration }) =>
    configuration.resources.flatMap((resource) => resources.get(inModule(address, resource.address)) ?? []),
  );
