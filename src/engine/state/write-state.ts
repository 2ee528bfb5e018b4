/**
 * @module Writes a state as OpenTofu does: format version 4, its order of members, resources and instances, its layout.
 */
import type { InstanceKey } from "../../values/address.ts";
import { compareText } from "../../values/set-order.ts";
import { escapeLikeGo, jsonString, layOut } from "./json-layout.ts";
import {
  type ForeignResource,
  type StateFile,
  type StateInstance,
  type StateOutput,
  type StateResource,
  storedProvider,
} from "./state.ts";

/** The whole text of a state file. */
export const stateText = (state: StateFile): string => [...stateParts(state)].join("");

/** The text of a state file, in many parts. */
export function* stateParts(state: StateFile): Generator<string> {
  yield `{\n  "version": 4,\n  "terraform_version": ${jsonString(state.toolVersion)},\n`;
  yield `  "serial": ${state.serial},\n  "lineage": ${jsonString(state.lineage)},\n`;
  yield `  "outputs": ${outputsText(state.outputs)},\n  "resources": `;
  yield* resourcesParts(state);
  yield `,\n  "check_results": ${layOut(escapeLikeGo(state.checkResults), 1)}\n}\n`;
}

/** The `outputs` member, beginning at depth 1. */
export function outputsText(outputs: ReadonlyMap<string, StateOutput>): string {
  if (outputs.size === 0) return "{}";
  const entries = [...outputs].sort(([a], [b]) => compareText(a, b));
  const texts = entries.map(
    ([name, output]) => `    ${jsonString(name)}: ${members(2, outputMembers(output))}`,
  );
  return `{\n${texts.join(",\n")}\n  }`;
}

const outputMembers = ({ value, type, sensitive }: StateOutput): string[] => [
  `"value": ${layOut(escapeLikeGo(value), 3)}`,
  `"type": ${layOut(escapeLikeGo(type), 3)}`,
  ...(sensitive ? ['"sensitive": true'] : []),
];

function* resourcesParts(state: StateFile): Generator<string> {
  const found: { readonly place: Place; readonly parts: () => Iterable<string> }[] = [];
  for (const resource of state.resources.values()) {
    const place = { ...resource, mode: "managed" };
    found.push({ place, parts: () => resourceParts(resource) });
  }
  for (const foreign of state.foreign) {
    found.push({ place: foreign, parts: () => [layOut(escapeLikeGo(foreign.json), 2)] });
  }
  if (found.length === 0) {
    yield "[]";
    return;
  }
  found.sort((a, b) => compareAddresses(a.place, b.place));
  for (const [index, { parts }] of found.entries()) {
    yield index === 0 ? "[\n    " : ",\n    ";
    yield* parts();
  }
  yield "\n  ]";
}

type Place = Pick<ForeignResource, "module" | "mode" | "type" | "name">;

const compareAddresses = (a: Place, b: Place): number =>
  compareText(a.module, b.module) ||
  compareText(a.mode, b.mode) ||
  compareText(a.type, b.type) ||
  compareText(a.name, b.name);

function* resourceParts({ module, type, name, instances, deposed }: StateResource): Generator<string> {
  const all = deposed === undefined ? instances.values() : [...instances.values(), ...deposed.values()];
  const sorted = [...all].sort(
    (a, b) => compareKeys(a.key, b.key) || compareText(a.deposed ?? "", b.deposed ?? ""),
  );
  const head = [
    ...(module === "" ? [] : [`"module": ${jsonString(module)}`]),
    '"mode": "managed"',
    `"type": ${jsonString(type)}`,
    `"name": ${jsonString(name)}`,
    `"provider": ${jsonString(storedProvider)}`,
    '"instances": [',
  ];
  yield `{\n      ${head.join(",\n      ")}\n`;
  for (const [index, instance] of sorted.entries())
    yield `${index === 0 ? "" : ",\n"}        ${instanceText(instance, 4)}`;
  yield "\n      ]\n    }";
}

/** No key before numbers before strings. */
export function compareKeys(a: InstanceKey, b: InstanceKey): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return keyRank(a) - keyRank(b);
}

const keyRank = (key: InstanceKey): number => (key === undefined ? 0 : typeof key === "number" ? 1 : 2);

/** One instance over several lines, beginning at `depth`. */
export function instanceText(instance: StateInstance, depth: number): string {
  const { key, dependencies } = instance;
  const inner = depth + 1;
  const parts: string[] = [];
  if (key !== undefined) parts.push(`"index_key": ${typeof key === "number" ? key : jsonString(key)}`);
  if (instance.tainted) parts.push('"status": "tainted"');
  if (instance.deposed !== undefined) parts.push(`"deposed": ${jsonString(instance.deposed)}`);
  parts.push(`"schema_version": ${instance.schemaVersion}`);
  parts.push(`"attributes": ${layOut(escapeLikeGo(instance.attributes), inner)}`);
  parts.push(`"sensitive_attributes": ${layOut(instance.sensitivePaths, inner)}`);
  if (instance.private.length > 0) {
    parts.push(`"private": "${Buffer.from(instance.private).toString("base64")}"`);
  }
  if (dependencies.length > 0) {
    parts.push(`"dependencies": ${layOut(`[${dependencies.map(jsonString).join(",")}]`, inner)}`);
  }
  if (instance.createBeforeDestroy) parts.push('"create_before_destroy": true');
  return members(depth, parts);
}

/** One instance without line ends. */
export function instanceLine(instance: StateInstance): string {
  const { key, dependencies } = instance;
  const parts: string[] = [];
  if (key !== undefined) parts.push(`"index_key":${typeof key === "number" ? key : jsonString(key)}`);
  if (instance.tainted) parts.push('"status":"tainted"');
  if (instance.deposed !== undefined) parts.push(`"deposed":${jsonString(instance.deposed)}`);
  parts.push(`"schema_version":${instance.schemaVersion}`);
  parts.push(`"attributes":${oneLine(instance.attributes)}`);
  parts.push(`"sensitive_attributes":${oneLine(instance.sensitivePaths)}`);
  if (instance.private.length > 0) {
    parts.push(`"private":"${Buffer.from(instance.private).toString("base64")}"`);
  }
  if (dependencies.length > 0) parts.push(`"dependencies":[${dependencies.map(jsonString).join(",")}]`);
  if (instance.createBeforeDestroy) parts.push('"create_before_destroy":true');
  return `{${parts.join(",")}}`;
}

/** JSON text without its line breaks: those never stand inside a string. What was just made has none. */
export const oneLine = (json: string): string => (json.includes("\n") ? json.replace(/\r?\n\s*/g, "") : json);

/** An object that begins at `depth`, of members that are laid out for it. */
function members(depth: number, parts: readonly string[]): string {
  const indent = "  ".repeat(depth + 1);
  return `{\n${indent}${parts.join(`,\n${indent}`)}\n${"  ".repeat(depth)}}`;
}
