/**
 * @module Resources in the modules that they are in, as JSON plans and states have them: `root_module`, and in each
 * module `resources` and `child_modules`.
 * Source: https://opentofu.org/docs/internals/json-format/#values-representation
 */
import { moduleText, parseAddress } from "../../values/address.ts";
import { compareText } from "../../values/set-order.ts";
import { listText, objectText, plainText } from "./json-object.ts";

/** An instance as it is shown. */
export interface ShownInstance {
  readonly address: string;
  /** JSON text. */
  readonly text: string;
}

interface Module {
  readonly resources: string[];
  readonly children: Map<string, Module>;
}

const emptyModule = (): Module => ({ resources: [], children: new Map() });

/** The `root_module` member, with the instances of each module in the order given. */
export function rootModuleText(instances: readonly ShownInstance[]): string {
  const root = emptyModule();
  for (const { address, text } of instances) moduleOf(root, address).resources.push(text);
  return moduleJson(root, undefined);
}

/** Makes the modules that lead to an instance where they are not there yet. */
function moduleOf(root: Module, address: string): Module {
  const { modules = [] } = parseAddress(address) ?? {};
  return modules.reduce((parent, _, at) => {
    const name = moduleText({ modules: modules.slice(0, at + 1) });
    const child = parent.children.get(name) ?? emptyModule();
    parent.children.set(name, child);
    return child;
  }, root);
}

function moduleJson({ resources, children }: Module, address: string | undefined): string {
  const inner = [...children].sort(([a], [b]) => compareText(a, b));
  return objectText({
    resources: resources.length === 0 ? undefined : listText(resources),
    address: address === undefined ? undefined : plainText(address),
    child_modules:
      inner.length === 0 ? undefined : listText(inner.map(([name, child]) => moduleJson(child, name))),
  });
}

/** The module that an instance is in; undefined for the root module. */
export function moduleAddress(address: string): string | undefined {
  if (!address.startsWith("module.")) return undefined;
  const parsed = parseAddress(address);
  return parsed && moduleText(parsed);
}
