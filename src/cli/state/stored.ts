/**
 * @module The instances in a state, for commands that show them or name some of them.
 */

import { providerSchema } from "../../core/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import {
  compareKeys,
  readSensitivePaths,
  type StateFile,
  type StateInstance,
  schemaMarks,
  sensitiveIn,
  withFollowing,
} from "../../engine/index.ts";
import { schemaType } from "../../schema/schema.ts";
import { instanceAddress, moduleText, parseAddress } from "../../values/address.ts";
import { isConversionError } from "../../values/convert.ts";
import { fromJson, parseJson } from "../../values/json/json.ts";
import { markPaths } from "../../values/marks.ts";
import { compareText } from "../../values/set-order.ts";
import type { Value } from "../../values/value.ts";

/** An instance, or a deposed object, which has the address of its instance. */
export interface StoredInstance {
  readonly address: string;
  readonly resource: string;
  readonly type: string;
  readonly name: string;
  readonly stored: StateInstance;
}

/** All instances of Conn3x resources in OpenTofu's order, with deposed objects. */
export function storedInstances({ resources }: Pick<StateFile, "resources">): readonly StoredInstance[] {
  return [...resources]
    .sort(
      ([, a], [, b]) =>
        compareText(a.module, b.module) || compareText(a.type, b.type) || compareText(a.name, b.name),
    )
    .flatMap(([resource, { type, name, instances, deposed }]) =>
      [...instances.values(), ...(deposed?.values() ?? [])]
        .sort((a, b) => compareKeys(a.key, b.key) || compareText(a.deposed ?? "", b.deposed ?? ""))
        .map((stored) => ({ address: instanceAddress(resource, stored.key), resource, type, name, stored })),
    );
}

/** The addresses without repetitions. */
export const addressesOf = (instances: readonly { readonly address: string }[]): readonly string[] => [
  ...new Set(instances.map(({ address }) => address)),
];

/**
 * The instances that addresses name. Those of resources and modules stand for all of their instances.
 *
 * @returns a problem when an address names nothing
 */
export function selectInstances(
  instances: readonly StoredInstance[],
  addresses: readonly string[],
): { readonly selected: readonly StoredInstance[]; readonly problem?: Diagnostic } {
  const known = new Set(instances.flatMap(namesOf));
  const unknown = addresses.find((address) => !known.has(address));
  if (unknown !== undefined) return { selected: [], problem: noSuchAddress(unknown, known) };
  const wanted = new Set(addresses);
  return { selected: instances.filter((instance) => namesOf(instance).some((name) => wanted.has(name))) };
}

const namesOf = ({ address, resource }: StoredInstance): readonly string[] => [
  address,
  resource,
  ...modulesOf(resource),
];

/** Every module that contains a resource, with its key and without: `module.a`, `module.a["x"]`. */
export function modulesOf(resource: string): readonly string[] {
  if (!resource.startsWith("module.")) return [];
  const { modules = [] } = parseAddress(resource) ?? {};
  return modules.flatMap(({ name, key }, at) => {
    const before = modules.slice(0, at);
    const call = moduleText({ modules: [...before, { name, key: undefined }] });
    return key === undefined ? [call] : [call, moduleText({ modules: [...before, { name, key }] })];
  });
}

function noSuchAddress(address: string, known: Iterable<string>): Diagnostic {
  const near = nearest(address, known);
  const quotes = /\[[^"\d]/.test(address)
    ? ` The shell takes quotes away: write '${address.replace(/\[(.*)\]$/, '["$1"]')}'.`
    : "";
  return errorDiagnostic(
    "There is nothing at this address",
    `${address} is not in the state.${near === undefined ? "" : ` Did you mean ${near}?`}${quotes} conn3x state list shows what is.`,
  );
}

/** The object of an instance with its sensitive paths marked; a problem when another version wrote it. */
export function storedValue({ address, type, stored }: StoredInstance): Value | Diagnostic {
  const schema = providerSchema.resources.get(type);
  const read = schema && fromJson(parseJson(stored.attributes), schemaType(schema));
  if (schema === undefined || read === undefined || isConversionError(read)) return notOurs(address);
  // Paths that are sensitive by the schema are so whatever the state says.
  const marks = [
    ...readSensitivePaths(stored.sensitivePaths),
    ...sensitiveIn({ schema, sensitive: schemaMarks(schema) }, read.value),
  ];
  return markPaths(read.value, withFollowing(schema, marks));
}

export const isProblem = (value: Value | Diagnostic): value is Diagnostic => "severity" in value;

const notOurs = (address: string): Diagnostic =>
  errorDiagnostic(
    `${address} cannot be shown`,
    "The state holds it in a form that this version of Conn3x does not know. It was written by another version.",
    { address },
  );
