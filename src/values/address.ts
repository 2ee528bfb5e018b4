/**
 * @module Addresses of resources and instances as people write them: `module.a["x"].conn3x_file.web__config["web1"]`.
 */
import { identifierPattern } from "./identifier.ts";

/** Key of an instance or of a module's instance: of `for_each` (string), of `count` (number), or none. */
export type InstanceKey = string | number | undefined;

/** A module call on the path from the root module. */
export interface ModuleStep {
  readonly name: string;
  readonly key: InstanceKey;
}

/** One instance of a resource, or a resource alone where `key` is undefined. */
export interface InstanceAddress {
  /** From the root module inwards; empty for the root module. */
  readonly modules: readonly ModuleStep[];
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
}

/** `a`, `a[0]`, `a["x"]` */
export function withKey(name: string, key: InstanceKey): string {
  if (key === undefined) return name;
  return typeof key === "number" ? `${name}[${key}]` : `${name}[${quoteKey(key)}]`;
}

/** A key in quotes, escaped as HCL demands, and what nobody would see as well: so do OpenTofu's addresses. */
function quoteKey(key: string): string {
  return JSON.stringify(key)
    .replace(/([$%])\{/g, "$1$1{")
    .replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What Go's `unicode.IsPrint` is false for, in the basic plane. */
const unseen = /(?! )(?![\u{10000}-\u{10ffff}])[\p{Cc}\p{Cf}\p{Co}\p{Z}]/gu;

/** `module.a["x"].module.b`; empty for the root module. */
export const moduleText = ({ modules }: Pick<InstanceAddress, "modules">): string =>
  modules.map((step) => `module.${withKey(step.name, step.key)}`).join(".");

export function formatAddress({ modules, type, name, key }: InstanceAddress): string {
  const module = moduleText({ modules });
  return `${module === "" ? "" : `${module}.`}${type}.${withKey(name, key)}`;
}

/** The parts of a resource's address. */
export interface ResourceName {
  /** `module.a["x"].module.b`; empty for the root module. */
  readonly module: string;
  /** `conn3x_file` */
  readonly type: string;
  /** `web__config` */
  readonly name: string;
}

/** `module.a.conn3x_file.web__config["web1"]` of a resource's address and an instance's key. */
export const instanceAddress = (resource: string, key: InstanceKey): string => withKey(resource, key);

export const resourceAddress = ({ module, type, name }: ResourceName): string =>
  inModule(module, `${type}.${name}`);

/** The address of what has the address `address` seen from the module. */
export const inModule = (module: string, address: string): string =>
  module === "" ? address : `${module}.${address}`;

/** @param address of a resource, without an instance's key: neither a type nor a name has a dot in it */
export function resourceNameOf(address: string): ResourceName {
  const name = address.lastIndexOf(".");
  const type = address.lastIndexOf(".", name - 1);
  return {
    module: type === -1 ? "" : address.slice(0, type),
    type: address.slice(type + 1, name),
    name: address.slice(name + 1),
  };
}

/** The address without the keys of module instances, as states name dependencies: `module.a.conn3x_file.web__config`. */
export const withoutModuleKeys = (address: string): string =>
  address.startsWith("module.") ? address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "") : address;

/** The name of a module that is called by this path, without keys: `module.a.module.b`; empty for the root module. */
export const callPathText = (path: readonly string[]): string =>
  moduleText({ modules: path.map((name) => ({ name, key: undefined })) });

/** The address in a text that engines write of an instance: an old object has its key behind that. */
export const withoutDeposedKey = (text: string): string => text.replace(/ \(deposed (?:object )?\w+\)$/, "");

const index = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`;
const step = new RegExp(String.raw`(?<name>${identifierPattern})(?<index>${index})?(?:\.|$)`, "suy");

/** @returns undefined for a text that is no address of a resource or an instance */
export function parseAddress(text: string): InstanceAddress | undefined {
  const steps = stepsOf(text);
  if (steps === undefined) return undefined;
  const modules: ModuleStep[] = [];
  let at = 0;
  for (; steps[at]?.name === "module" && steps[at]?.key === undefined; at += 2) {
    const call = steps[at + 1];
    if (call === undefined) return undefined;
    modules.push(call);
  }
  const [type, last, more] = steps.slice(at);
  if (type === undefined || last === undefined || more !== undefined || type.key !== undefined)
    return undefined;
  return { modules, type: type.name, name: last.name, key: last.key };
}

/** @returns undefined for a text that is no address of a module: `module.a["x"].module.b` */
export function parseModule(text: string): readonly ModuleStep[] | undefined {
  const inside = parseAddress(`${text}.type.name`);
  return inside === undefined || inside.modules.length === 0 || inside.type !== "type"
    ? undefined
    : inside.modules;
}

function stepsOf(text: string): readonly ModuleStep[] | undefined {
  const steps: ModuleStep[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const groups = step.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const key = groups.index === undefined ? undefined : keyOf(groups.index.slice(1, -1));
    if (key === null) return undefined;
    steps.push({ name: groups.name ?? "", key });
  }
  return text.endsWith(".") ? undefined : steps;
}

/** What stands between the brackets; null for what is no key. */
function keyOf(text: string): string | number | null {
  try {
    const key: unknown = JSON.parse(text);
    if (typeof key === "number") return Number.isSafeInteger(key) ? key : null;
    return typeof key === "string" ? key.replace(/([$%])\1\{/g, "$1{") : null;
  } catch {
    return null;
  }
}
