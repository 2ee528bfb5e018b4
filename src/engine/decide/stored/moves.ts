/**
 * @module `moved` blocks: gives stored instances their new addresses.
 */

import type { Address, Configuration, Moved, Resource } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import {
  formatAddress,
  type InstanceAddress,
  type InstanceKey,
  instanceAddress,
  type ModuleStep,
  parseAddress,
  type ResourceName,
  resourceAddress,
  resourceNameOf,
} from "../../../values/address.ts";
import { hostKeyText, storedHostKey } from "../../../values/host-key.ts";
import type { Loaded } from "../../evaluate/load.ts";
import { configurationsOf } from "../../evaluate/modules/module-tree.ts";
import type { Problems } from "../../evaluate/problems.ts";
import { State, type StateResource } from "../../state/state.ts";

/** The old address of a moved instance, and the new one. */
export interface MovedInstance {
  readonly from: { readonly resource: string; readonly key: InstanceKey };
  readonly to: ResourceName & { readonly key: InstanceKey };
}

/** By the address that the instance has now. */
export type Moves = ReadonlyMap<string, MovedInstance>;

export interface MovedState {
  /** A copy when something moved, else the state itself. */
  readonly state: State;
  readonly moves: Moves;
}

/** A block, and where it stands: its addresses are seen from every instance of that module. */
export interface DeclaredMove extends Moved {
  /** Names of the calls that lead there; empty for the root module. */
  readonly path: readonly string[];
}

/** The blocks of a configuration and of the modules that it calls. */
export const movesOf = (configuration: Configuration): readonly DeclaredMove[] =>
  [...configurationsOf(configuration)].flatMap(({ configuration: { moved }, path }) =>
    moved.map((block) => ({ ...block, path })),
  );

/** Blocks are followed again and again, so that a chain of them ends where it leads. */
export function followMoves(state: State, moved: readonly DeclaredMove[], problems: Problems): MovedState {
  let moving: State | undefined;
  const moves = new Map<string, MovedInstance>();
  const report = (problem: Diagnostic) => problems.report(problem);
  for (let round = 0; round < moved.length; round++) {
    let changed = false;
    for (const block of moved) {
      for (const step of stepsOf(block, moving ?? state, report)) {
        moving ??= new State(state.toFile({ serial: 0, lineage: "" }));
        carryOut(moving, moves, step);
        changed = true;
      }
    }
    if (!changed) break;
  }
  return { state: moving ?? state, moves };
}

/** Some of what moves, with what blocks it: the rest stays where it is stored. */
export function onlyMoves(state: State, moves: Moves, isMeant: (move: MovedInstance) => boolean): MovedState {
  const byOrigin = new Map(
    [...moves].map(([to, move]) => [instanceAddress(move.from.resource, move.from.key), { to, move }]),
  );
  const meant = new Map([...moves].filter(([, move]) => isMeant(move)));
  for (const to of meant.keys()) {
    const inTheWay = byOrigin.get(to);
    if (inTheWay !== undefined) meant.set(inTheWay.to, inTheWay.move);
  }
  if (meant.size === 0) return { state, moves: meant };
  const moving = new State(state.toFile({ serial: 0, lineage: "" }));
  for (const { from } of meant.values()) moving.remove(from.resource, from.key);
  for (const { from, to } of meant.values())
    moving.put(to.type, to.name, { ...state.get(from.resource, from.key)!, key: to.key }, to.module);
  return { state: moving, moves: meant };
}

/**
 * As in OpenTofu: where `count` was added or taken away, the only instance and the one with the number 0 are the same; of
 * a resource and of a module.
 */
export function followCounts(
  { state, moves }: MovedState,
  { resources }: Pick<Loaded, "resources">,
): MovedState {
  let moving: State | undefined;
  const now = new Map(moves);
  for (const [address, { resource }] of resources) {
    for (const from of [address, ...withOtherCounts(address)]) {
      if (from !== address && resources.has(from)) continue;
      for (const key of keysOf((moving ?? state).resources.get(from))) {
        const there = keyByCount(resource, key);
        const stays = from === address && there === key;
        if (stays || (moving ?? state).objects(address, there).length > 0) continue;
        moving ??= new State(state.toFile({ serial: 0, lineage: "" }));
        const to = { ...resourceNameOf(address), key: there };
        carryOut(moving, now, { from: { resource: from, key }, to });
      }
    }
  }
  return { state: moving ?? state, moves: now };
}

/** The key that an instance has where its resource has a `count`, or has none. */
function keyByCount({ forEach, count }: Pick<Resource, "forEach" | "count">, key: InstanceKey): InstanceKey {
  if (forEach !== undefined) return key;
  if (count !== undefined) return key ?? 0;
  return key === 0 ? undefined : key;
}

/** The address with one module's key in the other form: `module.a` and `module.a[0]`. */
function withOtherCounts(address: string): readonly string[] {
  if (!address.startsWith("module.")) return [];
  const parsed = parseAddress(address);
  return (parsed?.modules ?? []).flatMap(({ name, key }, at) => {
    if (key !== undefined && key !== 0) return [];
    const other = { name, key: key === undefined ? 0 : undefined };
    return formatAddress({ ...parsed!, modules: parsed!.modules.with(at, other) });
  });
}

/** Keys of a resource's instances, also of those of which only old objects are left: as in OpenTofu, these move, too. */
const keysOf = (resource: StateResource | undefined): ReadonlySet<InstanceKey> =>
  new Set([
    ...(resource?.instances.keys() ?? []),
    ...[...(resource?.deposed?.values() ?? [])].map(({ key }) => key),
  ]);

/** The stored instances that a block moves. */
function stepsOf(
  block: DeclaredMove,
  state: State,
  report: (problem: Diagnostic) => void,
): readonly MovedInstance[] {
  const { from, to, range } = block;
  if (from.resource?.type !== to.resource?.type) {
    report(notAlike(from, to, range));
    return [];
  }
  const steps: MovedInstance[] = [];
  for (const [resource, stored] of state.resources) {
    const address = parseAddress(resource);
    if (address === undefined || !mayBeMeant(block, address)) continue;
    for (const key of keysOf(stored)) {
      const now = newAddress(block, { ...address, key });
      if (now === undefined) continue;
      const target = resourceNameOf(formatAddress({ ...now, key: undefined }));
      const there = resourceAddress(target);
      if (state.objects(there, now.key).length === 0)
        steps.push({ from: { resource, key }, to: { ...target, key: now.key } });
      else report(blocked(instanceAddress(resource, key), instanceAddress(there, now.key), range));
    }
  }
  return steps;
}

/** Whether a block is about instances of a resource: a look before each of them is looked at. */
const mayBeMeant = ({ from: { resource } }: DeclaredMove, { type, name }: InstanceAddress): boolean =>
  resource === undefined || (resource.type === type && resource.name === name);

/** Whether an address is one that a block moves from. */
export const isMovedFrom = (block: DeclaredMove, address: InstanceAddress): boolean =>
  mayBeMeant(block, address) && newAddress(block, address) !== undefined;

/** Whether an address is one that a block moves to. */
export const isMovedTo = ({ from, to, hosts, ...block }: DeclaredMove, address: InstanceAddress): boolean =>
  isMovedFrom(
    {
      ...block,
      from: to,
      to: from,
      ...(hosts === undefined ? {} : { hosts: { from: hosts.to, to: hosts.from } }),
    },
    address,
  );

/** The address that a block gives an instance; undefined for one that it does not mean. */
function newAddress(
  { from, to, path, hosts }: DeclaredMove,
  address: InstanceAddress,
): InstanceAddress | undefined {
  const outside = address.modules.slice(0, path.length);
  const inside = address.modules.slice(path.length);
  if (path.some((name, at) => outside[at]?.name !== name)) return undefined;
  if (from.resource !== undefined && to.resource !== undefined) {
    const { resource } = from;
    if (inside.length !== from.modules.length || !samePath(from.modules, inside)) return undefined;
    if (hosts !== undefined) return onRenamedHost(address, hosts);
    // Neither has a key: the resource moves with all of its instances.
    const whole = resource.key === undefined && to.resource.key === undefined;
    if (!whole && resource.key !== address.key) return undefined;
    return {
      modules: [...outside, ...to.modules],
      type: to.resource.type,
      name: to.resource.name,
      key: whole ? address.key : to.resource.key,
    };
  }
  const [call, target] = [from.modules.at(-1)!, to.modules.at(-1)!];
  const before = from.modules.slice(0, -1);
  const own = inside[before.length];
  if (own?.name !== call.name || !samePath(before, inside)) return undefined;
  const whole = call.key === undefined && target.key === undefined;
  if (!whole && own.key !== call.key) return undefined;
  const moved = { name: target.name, key: whole ? own.key : target.key };
  return {
    ...address,
    modules: [...outside, ...to.modules.slice(0, -1), moved, ...inside.slice(from.modules.length)],
  };
}

/** Of a step with keys of its own: instances in a state, which are found nowhere else. */
function onRenamedHost(
  address: InstanceAddress,
  { from, to }: NonNullable<Moved["hosts"]>,
): InstanceAddress | undefined {
  const { key } = address;
  const { host, own } = typeof key === "string" ? storedHostKey(key) : {};
  return host === from && own !== undefined ? { ...address, key: hostKeyText({ host: to, own }) } : undefined;
}

/** Whether a path begins with these steps. */
const samePath = (steps: readonly ModuleStep[], path: readonly ModuleStep[]): boolean =>
  steps.every(({ name, key }, at) => path[at]?.name === name && path[at]?.key === key);

function carryOut(state: State, moves: Map<string, MovedInstance>, { from, to }: MovedInstance): void {
  for (const object of state.objects(from.resource, from.key)) {
    state.remove(from.resource, from.key, object.deposed);
    state.put(to.type, to.name, { ...object, key: to.key }, to.module);
  }
  const old = instanceAddress(from.resource, from.key);
  const origin = moves.get(old)?.from ?? from;
  moves.delete(old);
  moves.set(instanceAddress(resourceAddress(to), to.key), { from: origin, to });
}

function notAlike(from: Address, to: Address, range: Moved["range"]): Diagnostic {
  if (from.resource === undefined || to.resource === undefined) {
    const detail =
      "One of the two is a module, the other is not. Name two modules, two resources or two instances.";
    return errorDiagnostic("A module cannot become a resource", detail, { range });
  }
  const text = ({ modules, resource }: Address): string =>
    formatAddress({ modules, ...resource!, key: undefined });
  return errorDiagnostic("Resources of different types", `${text(from)} cannot become ${text(to)}.`, {
    range,
  });
}

const blocked = (from: string, to: string, range: Moved["range"]): Diagnostic =>
  warningDiagnostic("An instance cannot move", `${from} stays what it is, since there is ${to} already.`, {
    range,
  });
