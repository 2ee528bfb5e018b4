/**
 * @module Names of instances that stay the same everywhere, in four parts:
 * `urn:conn3x:NAMESPACE::MODULE::TYPE::NAME` (the form of names in RFC 8141).
 *
 * | part | |
 * |---|---|
 * | NAMESPACE | the workspace: `default` |
 * | MODULE | the calls from the root module inwards, with a slash between them; `.` is the root module |
 * | TYPE | the resource's type: `conn3x_file` |
 * | NAME | the resource's name and the instance's key |
 *
 * A key follows its name: `web__config@web1` (of `for_each`), `web__config,0` (of `count`). Everything but letters,
 * digits and `- . _ ~` is percent-encoded in UTF-8, but for slashes in NAME. So each instance has just one name, and each
 * name just one instance.
 */

import type { InstanceAddress, InstanceKey, ModuleStep } from "./address.ts";

/** What a name says. */
export interface InstanceName {
  readonly namespace: string;
  readonly address: InstanceAddress;
}

/** What all names start with. */
const urnPrefix = "urn:conn3x:";

const rootModule = ".";

export function formatUrn({ namespace, address }: InstanceName): string {
  const { modules, type, name, key } = address;
  const path = modules.length === 0 ? rootModule : modules.map((step) => keyed(step, encoded)).join("/");
  const last = keyed({ name, key }, (text) => text.split("/").map(encoded).join("/"));
  return `${urnPrefix}${[encoded(namespace), path, encoded(type), last].join("::")}`;
}

/** @returns undefined for a text that is no such name, or another spelling of one */
export function parseUrn(text: string): InstanceName | undefined {
  if (!text.startsWith(urnPrefix)) return undefined;
  const [namespace, path, type, last, ...more] = text.slice(urnPrefix.length).split("::").map(String);
  if (!namespace || !path || !type || !last || more.length > 0) return undefined;
  try {
    const parsed = {
      namespace: decodeURIComponent(namespace),
      address: {
        modules: path === rootModule ? [] : path.split("/").map(stepOf),
        type: decodeURIComponent(type),
        ...stepOf(last),
      },
    };
    return formatUrn(parsed) === text ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Throws for a text with halves of surrogate pairs, which no text of HCL has. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

function keyed({ name, key }: ModuleStep, escaped: (text: string) => string): string {
  if (key === undefined) return encoded(name);
  return typeof key === "number" ? `${encoded(name)},${key}` : `${encoded(name)}@${escaped(key)}`;
}

/** @throws URIError for bytes that are no UTF-8 */
function stepOf(text: string): ModuleStep {
  const parts = /^(?<name>[^@,]+)(?:@(?<each>.*)|,(?<count>\d+))?$/s.exec(text)?.groups;
  if (parts?.name === undefined) throw new URIError("no name");
  return { name: decodeURIComponent(parts.name), key: keyOf(parts) };
}

function keyOf({ each, count }: Readonly<Record<string, string | undefined>>): InstanceKey {
  if (each !== undefined) return decodeURIComponent(each);
  return count === undefined ? undefined : Number(count);
}
