/**
 * @module Which instances a run is about: all of them, or those that `-target`, `-circuit`, `-step` and `-limit` name.
 * What is not selected is neither read nor planned, and its stored state stays as it is.
 */

import type { Resource } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import {
  type InstanceKey,
  inModule,
  parseAddress,
  withKey,
  withoutModuleKeys,
} from "../../values/address.ts";
import { compareText } from "../../values/set-order.ts";
import type { Subject } from "../evaluate/resources/subject.ts";
import { circuitNames, subjectOf } from "../evaluate/resources/subject.ts";
import type { Plan } from "../plan.ts";
import { storedDependencies } from "../state/stored-dependencies.ts";
import { isLeft, isOfHost, patternAdvice } from "./host-pattern.ts";

/** Each list: any of them; nothing given: everything. Several kinds of names: what all of them select. */
export interface SelectionNames {
  /** Addresses of resources or instances; with what they depend on, as in OpenTofu. */
  readonly target?: readonly string[];
  /** Names of circuits; with what they depend on. */
  readonly circuit?: readonly string[];
  /** Names of steps and handlers of any circuit; with what they depend on. */
  readonly step?: readonly string[];
  /** Names of hosts; `*` stands for any characters, `?` for one. Without anything else. */
  readonly limit?: readonly string[];
}

export interface Selection {
  /** Whether anything may be left out. */
  readonly isPartial: boolean;
  includes(resource: string, subject: Subject): boolean;
  /** What names something that no instance asked about so far has. */
  unknownNames(): readonly Diagnostic[];
}

/** What is configured, by address: as much as choosing from it takes. */
export interface ConfiguredResources {
  readonly resources: ReadonlyMap<
    string,
    { readonly resource: Resource; readonly allAfter: readonly string[] }
  >;
}

/** What is stored, by address: likewise. */
export interface StoredResources {
  readonly resources: ReadonlyMap<
    string,
    { readonly instances: ReadonlyMap<InstanceKey, { readonly dependencies: readonly string[] }> }
  >;
}

const everything: Selection = { isPartial: false, includes: () => true, unknownNames: () => [] };

/** One of the named resources, on one host or on all. */
interface Seed {
  readonly resource: string;
  readonly circuit: string | undefined;
  readonly host: string | undefined;
}

export function selectionOf(
  names: SelectionNames,
  loaded: ConfiguredResources,
  state: StoredResources,
  mode: Plan["mode"],
): Selection {
  const { target = [], circuit = [], step = [], limit = [] } = names;
  if (target.length + circuit.length + step.length + limit.length === 0) return everything;
  const met = new Met();
  const isNamed = ({ address, ...subject }: Subject, resource: string): boolean =>
    named(target, target.length === 0 ? [] : [address, ...resourceNames(resource)]) &&
    named(circuit, namesOf(subject)) &&
    named(step, [subject.member]);
  const namesMore = target.length + circuit.length + step.length > 0;
  const seeds = namesMore ? seedsOf({ target, circuit, step }, loaded, state) : [];
  const pulled = namesMore ? pulledAlong(seeds, loaded, state, mode) : new Map<string, readonly Seed[]>();
  return {
    isPartial: true,
    includes(resource, subject) {
      met.note(resource, subject);
      const { host } = subject;
      if (limit.length > 0 && (host === undefined || !isLeft(limit, host))) return false;
      return (
        isNamed(subject, resource) || (pulled.get(resource)?.some((seed) => reaches(seed, subject)) ?? false)
      );
    },
    unknownNames: () => [
      ...met.missing("address", target, (name) => met.addresses.has(name), met.addresses),
      ...met.missing("circuit", circuit, (name) => met.circuits.has(name), met.circuits),
      ...met.missing("step or handler", step, (name) => met.members.has(name), met.members),
      ...limit
        .filter((pattern) => ![...met.hosts].some((host) => isOfHost(pattern, host)))
        .map((pattern) => nothingNamed("host", pattern, met.hosts, patternAdvice(pattern))),
    ],
  };
}

/** Whether one of the list is among the names. An empty list asks for nothing in particular. */
const named = (list: readonly string[], names: readonly (string | undefined)[]): boolean =>
  list.length === 0 || names.some((name) => name !== undefined && list.includes(name));

/** A seed on a host needs what is before it in its circuit on that host only. */
const reaches = (seed: Seed, { circuit, host }: Subject): boolean =>
  seed.host === undefined || host === undefined || seed.circuit !== circuit || seed.host === host;

function seedsOf(
  { target, circuit, step }: Required<Omit<SelectionNames, "limit">>,
  loaded: ConfiguredResources,
  state: StoredResources,
): readonly Seed[] {
  const seeds: Seed[] = [];
  for (const resource of new Set([...loaded.resources.keys(), ...state.resources.keys()])) {
    const configured = loaded.resources.get(resource)?.resource;
    const subject = subjectOf(configured, resource, undefined);
    if (!named(circuit, namesOf(subject)) || !named(step, [subject.member])) continue;
    const seed = { resource, circuit: subject.circuit };
    if (named(target, resourceNames(resource))) {
      seeds.push({ ...seed, host: undefined });
      continue;
    }
    for (const address of target) {
      if (!address.startsWith(`${resource}[`)) continue;
      const { host } = subjectOf(configured, resource, parseAddress(address)?.key);
      seeds.push({ ...seed, host });
    }
  }
  return seeds;
}

/** A circuit in a module is meant by its own name as well. */
const namesOf = ({ circuit }: Pick<Subject, "circuit">): readonly string[] =>
  circuit === undefined ? [] : circuitNames(circuit);

/** What names a resource: its address, with or without the keys of modules, and every module that it is in. */
function resourceNames(resource: string): readonly string[] {
  if (!resource.startsWith("module.")) return [resource];
  const { modules = [] } = parseAddress(resource) ?? {};
  let [module, withoutKeys] = ["", ""];
  const names = [resource, withoutModuleKeys(resource)];
  for (const { name, key } of modules) {
    const call = inModule(module, `module.${name}`);
    module = inModule(module, `module.${withKey(name, key)}`);
    withoutKeys = inModule(withoutKeys, `module.${name}`);
    names.push(call, module, withoutKeys);
  }
  return names;
}

/** For each resource the seeds that need it: those that come after it, or before it when everything named is to end. */
function pulledAlong(
  seeds: readonly Seed[],
  loaded: ConfiguredResources,
  state: StoredResources,
  mode: Plan["mode"],
): ReadonlyMap<string, readonly Seed[]> {
  const meant = storedDependencies(new Set([...loaded.resources.keys(), ...state.resources.keys()]));
  const before = (resource: string): ReadonlySet<string> => {
    const stored = state.resources.get(resource)?.instances.values() ?? [];
    const dependencies = new Set([...stored].flatMap((instance) => instance.dependencies));
    return new Set([
      ...(loaded.resources.get(resource)?.allAfter ?? []),
      ...[...dependencies].flatMap((dependency) => meant(resource, dependency)),
    ]);
  };
  const pulled = new Map<string, Seed[]>();
  const pull = (resource: string, seed: Seed): void => {
    const seedsSoFar = pulled.get(resource);
    if (seedsSoFar === undefined) pulled.set(resource, [seed]);
    else seedsSoFar.push(seed);
  };
  if (mode !== "destroy") {
    for (const seed of seeds) for (const resource of before(seed.resource)) pull(resource, seed);
    return pulled;
  }
  for (const resource of state.resources.keys()) {
    const earlier = before(resource);
    for (const seed of seeds) if (earlier.has(seed.resource)) pull(resource, seed);
  }
  return pulled;
}

/** Names that instances have which were asked about. */
class Met {
  readonly addresses = new Set<string>();
  readonly circuits = new Set<string>();
  readonly members = new Set<string>();
  readonly hosts = new Set<string>();

  note(resource: string, { address, circuit, member, host }: Subject): void {
    this.addresses.add(address);
    for (const name of resourceNames(resource)) this.addresses.add(name);
    if (circuit !== undefined) for (const name of circuitNames(circuit)) this.circuits.add(name);
    if (member !== undefined) this.members.add(member);
    if (host !== undefined) this.hosts.add(host);
  }

  missing(
    what: string,
    names: readonly string[],
    isKnown: (name: string) => boolean,
    known: Iterable<string>,
  ): readonly Diagnostic[] {
    return names.filter((name) => !isKnown(name)).map((name) => nothingNamed(what, name, known));
  }
}

function nothingNamed(what: string, name: string, known: Iterable<string>, advice = ""): Diagnostic {
  const all = [...known].sort(compareText);
  const near = advice === "" ? nearest(name, all) : undefined;
  const listed = `${all.length > 0 && all.length <= 10 ? ` There are: ${all.join(", ")}.` : ""}${advice}`;
  return errorDiagnostic(
    `There is no ${what} ${name}`,
    near === undefined
      ? `Neither the configuration nor the state has one.${listed}`
      : `Did you mean ${near}?${listed}`,
  );
}
