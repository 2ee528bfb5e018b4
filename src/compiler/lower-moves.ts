/**
 * @module `moved` blocks of a circuit → those of its resources.
 */
import type { CircuitDeclaration, CircuitMove, HostMove, StepDeclaration } from "./declaration.ts";
import { literalKeys } from "./literal-keys.ts";
import type { Address, AddressKey, Moved, Resource } from "./model.ts";
import { resourceName } from "./names.ts";

/** @param resources of the circuit */
export function lowerMove(
  move: CircuitMove,
  circuit: CircuitDeclaration,
  resources: readonly Resource[],
): readonly Moved[] {
  const range = move.block.header;
  if (move.of === "host") return resources.flatMap((resource) => hostMoves(move, resource, circuit));
  if (move.of === "circuit") {
    return resources.map(({ type, name, origin }) => ({
      from: address(type, resourceName(move.from, origin!.member)),
      to: address(type, name),
      range,
    }));
  }
  // A step that is renamed keeps its kind: another kind makes another object.
  const { from, to } = move;
  const members = to.role === "step" ? circuit.steps : circuit.handlers;
  const type = members.find((member) => member.name === to.name)?.kind?.type;
  if (type === undefined) return [];
  const of = (name: string): Address => address(type, resourceName(circuit.name, name));
  return [{ from: of(from.name), to: of(to.name), range }];
}

/** Of a step with keys of its own all instances on the host: which ones there are may not be known from the text. */
function hostMoves(
  { from, to, block }: HostMove,
  { type, name, origin }: Resource,
  circuit: CircuitDeclaration,
): readonly Moved[] {
  const range = block.header;
  const instance = (host: string, key: string): Address =>
    address(type, name, key === "" ? host : `${host}/${key}`);
  if (origin?.ownKeys !== true) return [{ from: instance(from, ""), to: instance(to, ""), range }];
  const step = circuit.steps.find((one): one is StepDeclaration => one.name === origin.member);
  const keys = step?.forEach === undefined ? undefined : literalKeys(step.forEach);
  if (keys === undefined) {
    const whole = address(type, name);
    return [{ from: whole, to: whole, hosts: { from, to }, range }];
  }
  return keys.map((key) => ({ from: instance(from, key), to: instance(to, key), range }));
}

const address = (type: string, name: string, key?: AddressKey): Address => ({
  modules: [],
  resource: { type, name, key },
});
