/**
 * @module Which instances a resource has: its `for_each` or `count`, evaluated.
 */

import { isHostsLocalName, type Resource } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import type { Expression } from "../../../hcl/tree.ts";
import type { InstanceKey } from "../../../values/address.ts";
import type { BigFloat } from "../../../values/big-float.ts";
import { convert, isConversionError } from "../../../values/convert.ts";
import type { HostKey } from "../../../values/host-key.ts";
import { at } from "../../../values/path.ts";
import { compareText } from "../../../values/set-order.ts";
import { dynamicType, numberType, stringType } from "../../../values/type.ts";
import { friendlyName } from "../../../values/type-text.ts";
import {
  isMarked,
  isUnknown,
  nullValue,
  numberValue,
  stringValue,
  type Value,
} from "../../../values/value.ts";
import { getPath } from "../../../values/walk.ts";
import type { Self } from "../names/self.ts";
import { ephemeralRefused } from "../variables/ephemeral.ts";

export type Expansion =
  | { readonly kind: "single" }
  | { readonly kind: "count"; readonly count: number }
  | {
      readonly kind: "each";
      /** In the order of the keys. */
      readonly entries: ReadonlyMap<string, Value>;
      /** What a circuit's member is made for: hosts by their names, or pairs `{ host, key, value }` of hosts and own keys. */
      readonly of?: "hosts" | "pairs";
    };

export interface Expanded {
  /** Undefined when it could not be found out. */
  readonly expansion: Expansion | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** More instances than anybody means. */
const mostInstances = 1_000_000;

/** Which instances a resource has. */
export function expandResource(
  { forEach, count, origin }: Pick<Resource, "forEach" | "count" | "origin">,
  scope: Scope,
): Expanded {
  const { expansion, diagnostics } = expand(forEach, count, scope);
  return origin === undefined || expansion?.kind !== "each"
    ? { expansion, diagnostics }
    : { expansion: { ...expansion, of: origin.ownKeys ? "pairs" : "hosts" }, diagnostics };
}

/** The host that an instance of a circuit's member is for, and its own key; undefined for any other instance. */
export function hostKeyOf(expansion: Expansion, key: InstanceKey): HostKey | undefined {
  if (expansion.kind !== "each" || expansion.of === undefined || typeof key !== "string") return undefined;
  if (expansion.of === "hosts") return { host: key, own: undefined };
  const pair = expansion.entries.get(key) ?? nullValue(dynamicType);
  const [name, own] = [[...at("host"), ...at("name")], at("key")].map((path) => textOf(getPath(pair, path)));
  return name === undefined || own === undefined ? undefined : { host: name, own };
}

/** A name may be a number: it is one where it is made from a list. */
function textOf(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined;
  const converted = convert(value, stringType);
  const data = isConversionError(converted) ? undefined : converted.value.data;
  return typeof data === "string" ? data : undefined;
}

/** Evaluates the meta-argument that something has, if any. */
export function expand(
  forEach: Expression | undefined,
  count: Expression | undefined,
  scope: Scope,
): Expanded {
  if (forEach !== undefined && count !== undefined) {
    return refused(count, '"count" and "for_each" exclude each other', "Use one of the two.");
  }
  if (forEach !== undefined) return evaluated(forEach, scope, expandEach);
  if (count !== undefined) return evaluated(count, scope, expandCount);
  return { expansion: { kind: "single" }, diagnostics: [] };
}

/** The keys of the instances, in order. */
export function keysOf(expansion: Expansion): readonly InstanceKey[] {
  if (expansion.kind === "single") return [undefined];
  if (expansion.kind === "each") return [...expansion.entries.keys()];
  return Array.from({ length: expansion.count }, (_, index) => index);
}

export function hasKey(expansion: Expansion, key: InstanceKey): boolean {
  if (expansion.kind === "single") return key === undefined;
  if (expansion.kind === "count") return typeof key === "number" && key < expansion.count;
  return typeof key === "string" && expansion.entries.has(key);
}

/** What `each` and `count` are for an instance. */
export function selfOf(expansion: Expansion, key: InstanceKey): Self {
  if (expansion.kind === "single") return {};
  if (expansion.kind === "count") return { count: numberValue(key as number) };
  return { each: { key: stringValue(key as string), value: expansion.entries.get(key as string)! } };
}

function evaluated(
  expression: Expression,
  scope: Scope,
  then: (value: Value, range: Expression) => Expanded,
): Expanded {
  const { value, diagnostics } = evaluate(expression, scope);
  if (diagnostics.some(({ severity }) => severity === "error")) return { expansion: undefined, diagnostics };
  const expanded = then(value, expression);
  return { ...expanded, diagnostics: [...diagnostics, ...expanded.diagnostics] };
}

/** Keys are stored, in addresses. */
const ephemeral = (name: "count" | "for_each", range: Expression): Expanded => ({
  expansion: undefined,
  diagnostics: [
    ephemeralRefused(
      `"${name}" is made of an ephemeral value, and which instances there are is stored. Use ephemeralasnull(), or a value that is not ephemeral.`,
      range,
    ),
  ],
});

function expandCount(value: Value, range: Expression): Expanded {
  if (isMarked(value, "ephemeral")) return ephemeral("count", range);
  if (isMarked(value, "sensitive")) {
    return refused(
      range,
      '"count" is sensitive',
      "How many instances there are is shown to everybody. Use nonsensitive() if that may be.",
    );
  }
  const converted = convert(value, numberType);
  if (isConversionError(converted))
    return refused(range, '"count" is not a number', `${sentence(converted.error)}.`);
  if (converted.value.data === null) return refused(range, '"count" is null', "It must be a whole number.");
  if (isUnknown(converted.value)) {
    return refused(range, '"count" is not known yet', `It ${notKnownYet}`);
  }
  const number = converted.value.data as BigFloat;
  if (!number.isInteger || number.sign < 0 || number.toNumber() > mostInstances) {
    return refused(
      range,
      `"count" cannot be ${number}`,
      `It must be a whole number from 0 to ${mostInstances}.`,
    );
  }
  return { expansion: { kind: "count", count: number.toNumber() }, diagnostics: [] };
}

const notKnownYet =
  "depends on something that is known only after an apply, and which instances there are must be known while planning. Apply what it depends on first.";

function expandEach(value: Value, range: Expression): Expanded {
  const { data, type } = value;
  if (isMarked(value, "ephemeral")) return ephemeral("for_each", range);
  if (isMarked(value, "sensitive")) {
    return refused(
      range,
      '"for_each" is sensitive',
      "Its keys become part of addresses, which are shown to everybody. Use nonsensitive() on what may be shown; values inside a map may stay sensitive.",
    );
  }
  if (data === null)
    return refused(
      range,
      '"for_each" is null',
      "It must be a map or a set of strings; an empty one makes no instances.",
    );
  if (isUnknown(value))
    return refused(range, 'The keys of "for_each" are not known yet', `It ${notKnownYet}`);
  if (type.kind === "map" || type.kind === "object") {
    const entries = [...(data as ReadonlyMap<string, Value>)].sort(([a], [b]) => compareText(a, b));
    return { expansion: { kind: "each", entries: new Map(entries) }, diagnostics: [] };
  }
  if (type.kind === "set") return expandSet(data as readonly Value[], range);
  const advice = type.kind === "list" || type.kind === "tuple" ? " Convert it with toset()." : "";
  return refused(range, '"for_each" is not a map or a set', `It is ${friendlyName(type)}.${advice}`);
}

function expandSet(elements: readonly Value[], range: Expression): Expanded {
  const entries = new Map<string, Value>();
  for (const element of elements) {
    if (isUnknown(element))
      return refused(range, 'The keys of "for_each" are not known yet', `It ${notKnownYet}`);
    if (isMarked(element, "ephemeral")) return ephemeral("for_each", range);
    if (isMarked(element, "sensitive"))
      return refused(
        range,
        '"for_each" is sensitive',
        "An element of the set is sensitive, and it would become a key.",
      );
    if (typeof element.data !== "string") {
      return refused(
        range,
        '"for_each" is not a set of strings',
        `It holds ${element.data === null ? "a null" : friendlyName(element.type)}.`,
      );
    }
    entries.set(element.data, element);
  }
  return { expansion: { kind: "each", entries }, diagnostics: [] };
}

const refused = (range: Expression, summary: string, detail: string): Expanded => ({
  expansion: undefined,
  diagnostics: [
    errorDiagnostic(isOfHosts(range) ? summary.replace('"for_each"', '"hosts"') : summary, detail, { range }),
  ],
});

/** Whether a circuit's hosts are what it is for: nobody has written a `for_each` then. */
const isOfHosts = (forEach: Expression): boolean =>
  forEach.kind === "attributeAccess" && isHostsLocalName(forEach.name);

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
