/**
 * @module `moved` blocks: what is stored at one address is taken to be at another.
 */
import type { Address, Moved } from "../../compiler/model.ts";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Problems } from "../load/problems.ts";
import type { InstanceKey } from "../plan.ts";
import { instanceAddress, State, type StateInstance } from "../state/state.ts";

/** Where an instance is stored that has another address now. */
export interface MovedInstance {
  readonly from: { readonly resource: string; readonly key: InstanceKey };
  readonly to: { readonly type: string; readonly name: string; readonly key: InstanceKey };
}

/** By the address that the instance has now. */
export type Moves = ReadonlyMap<string, MovedInstance>;

export interface MovedState {
  /** A copy when something moved, else the state itself. */
  readonly state: State;
  readonly moves: Moves;
}

/** Blocks are followed again and again, so that a chain of them ends where it leads. */
export function followMoves(state: State, moved: readonly Moved[], problems: Problems): MovedState {
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

interface Step extends MovedInstance {
  readonly instance: StateInstance;
}

/** What of a state a block moves. */
function stepsOf(
  { from, to, range }: Moved,
  state: State,
  report: (problem: Diagnostic) => void,
): readonly Step[] {
  if (!isOfRoot(from) || !isOfRoot(to)) {
    report(
      errorDiagnostic('"moved" with modules is not supported by this version', "Use -engine=tofu.", {
        range,
      }),
    );
    return [];
  }
  const resource = addressOf(from);
  const { type, name, key } = to.resource;
  const stored = state.resources.get(resource);
  if (stored === undefined) return [];
  if (type !== from.resource.type) {
    report(
      errorDiagnostic("Resources of different types", `${resource} cannot become ${addressOf(to)}.`, {
        range,
      }),
    );
    return [];
  }
  const isWhole = from.resource.key === undefined && key === undefined;
  const keys = isWhole ? [...stored.instances.keys()] : [from.resource.key];
  return keys.flatMap((old): readonly Step[] => {
    const instance = stored.instances.get(old);
    if (instance === undefined) return [];
    const now = isWhole ? old : key;
    if (state.get(`${type}.${name}`, now) === undefined)
      return [{ from: { resource, key: old }, to: { type, name, key: now }, instance }];
    report(blocked(instanceAddress(resource, old), instanceAddress(`${type}.${name}`, now), range));
    return [];
  });
}

type OfRoot = Address & { readonly resource: NonNullable<Address["resource"]> };

const isOfRoot = (address: Address): address is OfRoot =>
  address.modules.length === 0 && address.resource !== undefined;

const addressOf = ({ resource: { type, name } }: OfRoot): string => `${type}.${name}`;

function carryOut(state: State, moves: Map<string, MovedInstance>, { from, to, instance }: Step): void {
  state.remove(from.resource, from.key);
  state.put(to.type, to.name, { ...instance, key: to.key });
  const old = instanceAddress(from.resource, from.key);
  const origin = moves.get(old)?.from ?? from;
  moves.delete(old);
  moves.set(instanceAddress(`${to.type}.${to.name}`, to.key), { from: origin, to });
}

const blocked = (from: string, to: string, range: Moved["range"]): Diagnostic =>
  warningDiagnostic("An instance cannot move", `${from} stays what it is, since there is ${to} already.`, {
    range,
  });
