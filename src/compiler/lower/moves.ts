/**
 * @module Lowers `moved` blocks of a circuit to `moved` blocks of its resources.
 */
import type { InstanceKey } from "../../values/address.ts";
import { hostKeyText } from "../../values/host-key.ts";
import type {
  CircuitDeclaration,
  CircuitMove,
  HostMove,
  MemberName,
  StepDeclaration,
} from "../declare/declaration.ts";
import { literalKeys } from "../hosts/literal-keys.ts";
import type { Address, Moved, Resource } from "../model.ts";
import { resourceName } from "../names.ts";

/**
 * For a series of names each move leads to the next one: of two moves to the same
 * address OpenTofu takes none.
 *
 * @param resources of the circuit
 */
export function lowerMoves(
  moves: readonly CircuitMove[],
  circuit: CircuitDeclaration,
  resources: readonly Resource[],
): readonly Moved[] {
  const ofHosts = moves.filter((move) => move.of === "host");
  const next = ({ to }: HostMove, at: number): string =>
    ofHosts.slice(at + 1).find((later) => later.to === to)?.from ?? to;
  return [
    ...resources.flatMap((resource) => renamings(formerNames(resource, moves, circuit), resource)),
    ...ofHosts.flatMap((move, at) =>
      resources.flatMap((resource) => hostMoves({ ...move, to: next(move, at) }, resource, circuit)),
    ),
  ];
}

/** A former name of a resource, and the block that gives it. */
interface FormerName {
  readonly name: string;
  readonly range: Moved["range"];
}

/** Every former name of the circuit combined with every former name of the member. */
function formerNames(
  { type, origin }: Resource,
  moves: readonly CircuitMove[],
  circuit: CircuitDeclaration,
): readonly FormerName[] {
  const { member } = origin!;
  const ofCircuit = moves.filter((move) => move.of === "circuit");
  // A step that is renamed keeps its kind: another kind makes another object.
  const ofMember = moves.filter(
    (move) => move.of === "member" && move.to.name === member && typeOf(move.to, circuit) === type,
  );
  const names = (own: string, range: Moved["range"] | undefined): FormerName[] =>
    [...ofMember, undefined].flatMap((move) => {
      const written = range ?? move?.block.header;
      const name = move?.of === "member" ? move.from.name : member;
      return written === undefined ? [] : [{ name: resourceName(own, name), range: written }];
    });
  return [
    ...ofCircuit.flatMap((move) => names(move.from, move.block.header)),
    ...names(circuit.name, undefined),
  ];
}

function typeOf({ role, name }: MemberName, { steps, handlers }: CircuitDeclaration): string | undefined {
  const members = role === "step" ? steps : handlers;
  return members.find((member) => member.name === name)?.kind?.type;
}

const renamings = (former: readonly FormerName[], { type, name }: Resource): readonly Moved[] =>
  former.map(({ name: from, range }, at) => ({
    from: address(type, from),
    to: address(type, former[at + 1]?.name ?? name),
    range,
  }));

/** All instances on the host of a step with keys of its own: the text may not show which there are. */
function hostMoves(
  { from, to, block }: HostMove,
  { type, name, origin }: Resource,
  circuit: CircuitDeclaration,
): readonly Moved[] {
  const range = block.header;
  const instance = (host: string, own?: string): Address => address(type, name, hostKeyText({ host, own }));
  if (origin?.ownKeys !== true) return [{ from: instance(from), to: instance(to), range }];
  const step = circuit.steps.find((one): one is StepDeclaration => one.name === origin.member);
  const keys = step?.forEach === undefined ? undefined : literalKeys(step.forEach);
  if (keys === undefined) {
    const whole = address(type, name);
    return [{ from: whole, to: whole, hosts: { from, to }, range }];
  }
  return keys.map((key) => ({ from: instance(from, key), to: instance(to, key), range }));
}

const address = (type: string, name: string, key?: InstanceKey): Address => ({
  modules: [],
  resource: { type, name, key },
});
