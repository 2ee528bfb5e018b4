/**
 * @module Instances in the form of OpenTofu's JSON: where each is, and all of them by the modules that they are in.
 * Source: https://opentofu.org/docs/internals/json-format/#values-representation
 */
import { providerSource } from "../../compiler/index.ts";
import { compareKeys } from "../../engine/index.ts";
import { type InstanceAddress, type ModuleStep, moduleText, parseAddress } from "../../values/address.ts";
import { compareText } from "../../values/set-order.ts";
import type { UrnOf } from "../state/instance-name.ts";
import { listText, objectText, plainText } from "./json-object.ts";

/** What says which instance something is about. */
export interface Place {
  /** `module.a.conn3x_file.web__config["web1"]` */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly key: string | number | undefined;
}

/** Members of an instance: of a change, or of an object. */
export const memberItems = ({ address, type, name, key }: Place) => {
  const module = moduleText({ modules: modulesOf(address) });
  return {
    address: plainText(address),
    module_address: module === "" ? undefined : plainText(module),
    mode: plainText("managed"),
    type: plainText(type),
    name: plainText(name),
    index: key === undefined ? undefined : plainText(key),
    provider_name: plainText(providerSource),
  };
};

/** Our own name for it. */
export const urnMember = (address: string, urnOf: UrnOf): string | undefined => {
  const urn = urnOf(address);
  return urn === undefined ? undefined : plainText(urn);
};

const modulesOf = (address: string): InstanceAddress["modules"] => parseAddress(address)?.modules ?? [];

/** In OpenTofu's order: by module, type, name and key. */
export function inOrder<T extends Place>(items: readonly T[]): readonly T[] {
  const modules = new Map(items.map(({ address }) => [address, modulesOf(address)]));
  return [...items].sort(
    (a, b) =>
      compareModules(modules.get(a.address)!, modules.get(b.address)!) ||
      compareText(a.type, b.type) ||
      compareText(a.name, b.name) ||
      compareKeys(a.key, b.key),
  );
}

function compareModules(a: readonly ModuleStep[], b: readonly ModuleStep[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [i, step] of a.entries()) {
    const other = b[i]!;
    const order = compareText(step.name, other.name) || compareKeys(step.key, other.key);
    if (order !== 0) return order;
  }
  return 0;
}

interface ModuleNode {
  readonly resources: string[];
  /** By address. */
  readonly children: Map<string, ModuleNode>;
}

/** `root_module` with its child modules. */
export function modulesJson<T extends Place>(items: readonly T[], json: (item: T) => string): string {
  const root: ModuleNode = { resources: [], children: new Map() };
  for (const item of inOrder(items)) {
    let node = root;
    const modules = modulesOf(item.address);
    for (const depth of modules.keys()) {
      const address = moduleText({ modules: modules.slice(0, depth + 1) });
      const child = node.children.get(address) ?? { resources: [], children: new Map() };
      node.children.set(address, child);
      node = child;
    }
    node.resources.push(json(item));
  }
  return nodeJson(root, undefined);
}

function nodeJson({ resources, children }: ModuleNode, address: string | undefined): string {
  return objectText({
    resources: resources.length === 0 ? undefined : listText(resources),
    address: address === undefined ? undefined : plainText(address),
    child_modules:
      children.size === 0 ? undefined : listText([...children].map(([name, child]) => nodeJson(child, name))),
  });
}
