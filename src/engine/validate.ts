/**
 * @module Checks the values of a configuration, as far as that is possible without a state and without hosts.
 */

import type { Configuration } from "../compiler/index.ts";
import { contradictions, type Holder, identified, type Provider } from "../core/index.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { touching } from "../diagnostics/touching.ts";
import { evaluate } from "../eval/evaluate.ts";
import type { InstanceKey } from "../values/address.ts";
import { isUnknown } from "../values/value.ts";
import { isWhollyKnown } from "../values/walk.ts";
import { attemptsOf } from "./act/attempts.ts";
import { reporter } from "./decide/instance-reporter.ts";
import { evaluateNamedValues, evaluateOutputs } from "./decide/outputs.ts";
import { configuredObject } from "./decide/plan-instance.ts";
import { checkImports } from "./decide/stored/imports.ts";
import { alreadyReported } from "./evaluate/already-reported.ts";
import { checkCircuitHosts, type UsableHosts, usableHosts } from "./evaluate/hosts/circuit-hosts.ts";
import { checkRollout } from "./evaluate/hosts/fleet.ts";
import { unknownRunOn } from "./evaluate/hosts/run-on.ts";
import { type Loaded, type LoadedResource, load } from "./evaluate/load.ts";
import type { ModuleInstance } from "./evaluate/modules/module-instance.ts";
import { functionsFor } from "./evaluate/names/functions.ts";
import { PhaseValues } from "./evaluate/names/phase-values.ts";
import { anySelf, type Self } from "./evaluate/names/self.ts";
import type { Surroundings } from "./evaluate/names/surroundings.ts";
import { unknownNames } from "./evaluate/names/unknown-names.ts";
import { createWorld, type World } from "./evaluate/names/world.ts";
import { Problems } from "./evaluate/problems.ts";
import { type Expansion, expandResource, keysOf, selfOf } from "./evaluate/resources/expansion.ts";
import { configureProvider } from "./evaluate/resources/provider-config.ts";
import { subjectOf } from "./evaluate/resources/subject.ts";
import { checkRootVariables } from "./evaluate/variables/given-values.ts";
import type { VariableInput } from "./evaluate/variables/variable-input.ts";
import { withoutSecrets } from "./evaluate/without-secrets.ts";

export interface ValidateOptions {
  /**
   * It may have errors, and blocks that are not for this engine: what does not depend on them is looked at all the
   * same.
   */
  readonly configuration: Configuration;
  readonly provider: Provider;
  /** Lowest precedence first. A variable without a value and without a default is unknown. */
  readonly variables: readonly VariableInput[];
}

/**
 * Evaluates everything with what resources give unknown, and has the provider look at every configured object. Finds
 * what a plan would find before its first question to a host.
 *
 * @returns what the configuration's own diagnostics do not say
 */
export function validateConfiguration(options: ValidateOptions): readonly Diagnostic[] {
  const { configuration, provider } = options;
  const problems = new Problems();
  const loaded = loadTolerantly(options, problems);
  const ofProvider = new Problems();
  configureProvider(configuration, loaded.surroundings, provider, ofProvider);
  problems.reportAll(ofProvider.all);
  checkRootVariables(loaded.surroundings, options.variables, problems);
  const values = new PhaseValues();
  const world = createWorld(loaded.surroundings, values, (problem) => problems.report(problem));
  checkRollouts(loaded, world, problems);
  checkImports(loaded, problems);
  const holders = validateResources(loaded, values, world, provider, problems);
  problems.reportAll(contradictions(holders));
  evaluateNamedValues(world, loaded);
  evaluateOutputs(world, loaded, problems);
  const isReported = alreadyReported(configuration.diagnostics);
  const isNearGap = touching(configuration.gaps ?? []);
  return problems.all.filter(
    (problem) =>
      !configuration.diagnostics.includes(problem) &&
      !isReported(problem) &&
      (problem.range === undefined || !isNearGap(problem.range)),
  );
}

/** Whether an instance is to be looked at. By the resource's address. */
type IsMeant = (resource: string, key: InstanceKey) => boolean;

/**
 * How many instances are looked at before any host is asked, and how many of a resource at the least: what is wrong with a
 * setting is nearly always so for all of them, and each is looked at again when it is planned.
 */
const lookedAtFirst = { inAll: 100, ofEach: 2 };

/** What is wrong with the configured objects, found before any host is asked for anything (U4). Of what could be loaded. */
export function invalidObjects(loaded: Loaded, provider: Provider, isMeant: IsMeant): readonly Diagnostic[] {
  const problems = new Problems();
  const values = new PhaseValues();
  const world = createWorld(loaded.surroundings, values, (problem) => problems.report(problem));
  checkRollouts(loaded, world, problems);
  const { inAll, ofEach } = lookedAtFirst;
  const most = Math.max(ofEach, Math.floor(inAll / Math.max(1, loaded.resources.size)));
  const seen = new Map<string, number>();
  validateResources(loaded, values, world, provider, problems, (resource, key) => {
    const count = seen.get(resource) ?? 0;
    if (count >= most || !isMeant(resource, key)) return false;
    seen.set(resource, count + 1);
    return true;
  });
  return problems.failed ? problems.all : [];
}

function checkRollouts({ circuits }: Loaded, world: World, problems: Problems): void {
  for (const { circuit, module } of circuits.values())
    checkRollout(circuit, world.scope({}, undefined, module), problems);
}

function validateResources(
  loaded: Loaded,
  values: PhaseValues,
  world: World,
  provider: Provider,
  problems: Problems,
  isMeant: IsMeant = () => true,
): readonly Holder[] {
  const holders: Holder[] = [];
  for (const resource of loaded.resources.values()) {
    const expansion = expansionOf(resource, world, problems);
    // Where there are none, something stands for them, and what refers to it stands for what there is none of, either.
    if (expansion !== "unknown" && keysOf(expansion).length > 0)
      values.declare(resource.resource.address, expansion, resource.type.objectType);
    for (const instance of instancesOf(expansion))
      if (isMeant(resource.resource.address, instance.key))
        holders.push(...validateInstance(resource, instance, world, provider, problems));
  }
  return holders;
}

type HostsOptions = Omit<ValidateOptions, "provider"> & {
  readonly provider: Pick<ValidateOptions["provider"], "schema">;
};

/** What is wrong with the values of the circuits' hosts: of a configuration without errors, whichever engine it is for. */
export function validateHosts(options: HostsOptions): readonly Diagnostic[] {
  const ofRest = new Problems();
  const { modules, surroundings } = loadTolerantly(options, ofRest);
  const problems = new Problems();
  checkCircuitHosts(modules, surroundings, options.provider.schema, problems);
  return problems.all;
}

/** With unknown values for what this engine does not have, and for what is wrong. */
function loadTolerantly(
  { configuration, provider: { schema }, variables }: HostsOptions,
  problems: Problems,
): Loaded {
  const planTime = new Date();
  const functions = functionsFor(configuration.directory, { planTime });
  const loaded = load(
    { configuration, schema, variables, functions, planTime, unset: "unknown", passesForeign: true },
    problems,
  );
  const { modules } = loaded;
  const elsewhere = unknownIn(modules);
  const surroundings: Surroundings = { ...loaded.surroundings, elsewhere };
  const hosts = usableHosts(modules, surroundings, schema, problems);
  return { ...loaded, surroundings: { ...surroundings, elsewhere: withHosts(hosts, elsewhere) } };
}

type Elsewhere = NonNullable<Surroundings["elsewhere"]>;

function unknownIn(modules: readonly ModuleInstance[]): Elsewhere {
  const unknown = new Map(modules.map(({ configuration }) => [configuration, unknownNames(configuration)]));
  return (root, steps, { configuration }) => unknown.get(configuration)?.(root, steps);
}

/** With local values that are given. */
const withHosts =
  (hosts: UsableHosts, otherwise: Elsewhere): Elsewhere =>
  (root, steps, module) => {
    const [first] = steps;
    const value =
      root === "local" && first && "attribute" in first ? hosts.get(module)?.get(first.attribute) : undefined;
    return value === undefined ? otherwise(root, steps, module) : { value, consumed: 1 };
  };

/** Which instances there are; `unknown` when that depends on what is not known here, or wrong. */
function expansionOf(
  { resource, module }: LoadedResource,
  world: World,
  problems: Problems,
): Expansion | "unknown" {
  const { forEach, count } = resource;
  const expression = forEach ?? count;
  const scope = world.scope({}, undefined, module);
  if (expression !== undefined) {
    const { value, diagnostics } = evaluate(expression, scope);
    if (!problems.reportAll(diagnostics)) return "unknown";
    if (isUnknown(value) || (value.type.kind === "set" && !isWhollyKnown(value))) return "unknown";
  }
  const { expansion, diagnostics } = expandResource(resource, scope);
  problems.reportAll(diagnostics);
  return expansion ?? "unknown";
}

interface Instance {
  readonly key: InstanceKey;
  readonly self: Self;
  /** Undefined for what stands for unknown ones. */
  readonly expansion?: Expansion;
}

/** Where there are none, or none that are known, one whose `each` and `count` are unknown stands for them. */
function instancesOf(expansion: Expansion | "unknown"): readonly Instance[] {
  const known = expansion === "unknown" ? [] : keysOf(expansion);
  if (expansion !== "unknown" && known.length > 0)
    return known.map((key) => ({ key, self: selfOf(expansion, key), expansion }));
  return [{ key: undefined, self: anySelf }];
}

/** @returns what it manages, if that is certain */
function validateInstance(
  loaded: LoadedResource,
  { key, self, expansion }: Instance,
  world: World,
  provider: Provider,
  problems: Problems,
): readonly Holder[] {
  const { resource, type } = loaded;
  const subject = subjectOf(resource, resource.address, key, expansion);
  const report = reporter(problems, subject, resource.body, resource.range);
  // A setting that has no value is unknown: what is wrong with the others shows as well.
  const goOn = (found: readonly Diagnostic[]): boolean => report(found) || true;
  // Its login would be wrong because of that, and that alone.
  if (!report(unknownRunOn(loaded, world.scope(self, undefined, loaded.module)))) return [];
  report(attemptsOf({ loaded }, self, world, "passed").problems ?? []);
  const configured = configuredObject({ loaded, self, refreshed: undefined }, world, [], goOn);
  if (configured === undefined) return [];
  const { config, marks } = configured;
  report(withoutSecrets(provider.validateResourceConfig(type.name, config), config, marks));
  // There may be none.
  if (self === anySelf) return [];
  const planned = identified(type, config, marks);
  return planned === undefined ? [] : [{ type, planned, marks, subject, loaded }];
}
