/**
 * @module Which members of a JSON object are blocks, and with how many labels: JSON itself does not say.
 */
import type { KindRegistry } from "../declare/declaration.ts";
import type { JsonNode } from "./tree.ts";

/** Number of labels by block type, for the content of one block. Everything else is an argument. */
export type Shape = (name: string, value: JsonNode) => number | undefined;

const labels = (types: Readonly<Record<string, number>>): Shape => {
  const known = new Map(Object.entries(types));
  return (name) => known.get(name);
};

export const topLevelShape: Shape = labels({
  circuit: 1,
  variable: 1,
  locals: 0,
  output: 1,
  provider: 1,
  resource: 2,
  data: 2,
  ephemeral: 2,
  module: 1,
  check: 1,
  moved: 0,
  removed: 0,
  import: 0,
  terraform: 0,
  tofu: 0,
});

const shapes: Readonly<Record<string, Shape>> = {
  variable: labels({ validation: 0 }),
  output: labels({ precondition: 0 }),
  lifecycle: labels({ precondition: 0, postcondition: 0 }),
  terraform: labels({ required_providers: 0, backend: 1, cloud: 0, encryption: 0, provider_meta: 1 }),
  tofu: labels({ required_providers: 0, backend: 1, cloud: 0, encryption: 0, provider_meta: 1 }),
  check: labels({ data: 2, assert: 0 }),
  removed: labels({ lifecycle: 0, provisioner: 1 }),
  dynamic: labels({ content: 0 }),
};

const resourceBlocks = { lifecycle: 0, provisioner: 1, connection: 0, dynamic: 1 };

/** Arguments of steps and handlers whose value may be an object. */
const objectArguments: readonly string[] = ["for_each", "when", "run_on"];

/**
 * @param type of the block
 * @param path types and labels of the block and those around it, outermost first
 */
export function shapeOf(type: string, path: readonly string[], kinds: KindRegistry): Shape {
  switch (type) {
    case "circuit":
      return (name, value) => circuitBlocks.get(name) ?? loginBlock(name, value);
    case "step":
    case "handler":
      return (name, value) =>
        value.kind === "string" || objectArguments.includes(name) || !mayBeBlock(value) ? undefined : 0;
    case "provider":
      return path[1] === "conn3x" ? labels({ ssh: 0 }) : none;
    case "resource":
      return resourceShape(path[1] ?? "", kinds);
    case "ssh":
      return (name, value) =>
        name === "dynamic" ? 1 : name === "bastion" && mayBeBlock(value) ? 0 : undefined;
    default:
      return shapes[type] ?? kindShape(type, path, kinds);
  }
}

const none: Shape = () => undefined;
const circuitBlocks = new Map([
  ["step", 1],
  ["handler", 1],
  ["rollout", 0],
  ["moved", 0],
]);

/** `ssh` is a block, or an argument with a computed value. */
const loginBlock = (name: string, value: JsonNode): number | undefined =>
  name === "ssh" && mayBeBlock(value) ? 0 : undefined;

/** An object, or several of them. */
const mayBeBlock = (value: JsonNode): boolean =>
  value.kind === "object" || (value.kind === "array" && value.items.some((item) => item.kind === "object"));

function resourceShape(resourceType: string, kinds: KindRegistry): Shape {
  const blocks = Object.keys(kinds.get(resourceType)?.schema.blocks ?? {});
  return labels({ ...resourceBlocks, ...Object.fromEntries(blocks.map((name) => [name, 0])) });
}

/** The content of the block of a kind in a step or handler. */
function kindShape(type: string, path: readonly string[], kinds: KindRegistry): Shape {
  if (path[0] !== "circuit") return none;
  const kind = [...kinds.values()].find((one) => one.name === type);
  return labels(Object.fromEntries(Object.keys(kind?.schema.blocks ?? {}).map((name) => [name, 0])));
}
