/**
 * @module Which object on which host an instance holds, by whatever name; and where several would fight about one.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { endpointOf, endpointText, jumpPathOf } from "../../login/index.ts";
import type { RealNames } from "../../resources/kind.ts";
import { fieldsOf, sameMeaning } from "../../revision/proposal.ts";
import type { AttributeSchema, ResourceSchema } from "../../schema/schema.ts";
import { withFollowing } from "../../schema/sensitive-parts.ts";
import { valuesEqual } from "../../values/equal.ts";
import { plainPath } from "../../values/host-path.ts";
import type { MarkedPath } from "../../values/marks.ts";
import { at, type PathStep } from "../../values/path.ts";
import { fromPlain, toPlain } from "../../values/plain.ts";
import { isNull, stringValue, type Value } from "../../values/value.ts";
import { getPath, isElements, isWhollyKnown } from "../../values/walk.ts";
import { type Holder, isSkipped, named, pointing, wantedSettings } from "./holder.ts";

/** What one instance holds. */
export type HeldObject = Pick<Holder, "type" | "planned" | "realNames">;

/** One of the objects that an instance holds. */
interface HeldName {
  /** As it is configured. */
  readonly written: string;
  /** Equal for one object at one address; whoever compares adds how that is reached. */
  readonly identity: string;
}

/**
 * What says which objects on which host an instance holds, by their real names where these are known; several where it is
 * about a list of them. None for what is no object there, as actions and commands are, and where it is not known yet.
 */
function heldNames({ type: { name, schema }, planned, realNames }: HeldObject): readonly HeldName[] {
  const fields = fieldsOf(planned);
  const endpoint = fields && endpointOf(fields.get("ssh"));
  const id = fields?.get("id")?.data;
  const isObject = Object.values(schema.attributes).some(({ identity }) => identity);
  if (!isObject || endpoint === undefined || typeof id !== "string") return [];
  const lists = namesIn(schema).map((list) => fields!.get(list));
  const list = lists.find((value) => value !== undefined && isElements(value.data) && isWhollyKnown(value));
  const ids = list === undefined ? [id] : (toPlain(list) as readonly unknown[]).map(String);
  return ids.map((one) => ({
    written: spelledAlike(one),
    identity: JSON.stringify([name, spelledAlike(realId(one, realNames)), endpoint]),
  }));
}

/** Equal for one object at one address; whoever compares adds how that is reached. */
export const identitiesOf = (held: HeldObject): readonly string[] =>
  heldNames(held).map(({ identity }) => identity);

/** Settings that name several objects at once. */
const namesIn = (schema: ResourceSchema): readonly string[] =>
  (schema.attributes.id?.reveals ?? []).filter((name) => schema.attributes[name]?.type.kind !== "string");

/** An id is a name, or begins with it, as that of a line does with its file's. */
export function realId(id: string, realNames: RealNames | undefined): string {
  if (realNames === undefined) return id;
  const whole = realNames[id];
  if (whole !== undefined) return whole;
  const begins = Object.entries(realNames).find(([name]) => id.startsWith(`${name}:`));
  return begins === undefined ? id : `${begins[1]}${id.slice(begins[0].length)}`;
}

/** Paths with doubled slashes or one at the end, and units with and without their usual ending, are the same. */
const spelledAlike = (id: string): string =>
  id.startsWith("/") ? plainPath(id) : id.replace(/\.service$/, "");

/**
 * A configured object as one that is planned, with what its `id` is made of in place of that.
 *
 * @returns undefined where that is not known or is a secret, and where the object may be skipped
 */
export function identified(
  { schema }: Pick<Holder["type"], "schema">,
  config: Value,
  marks: readonly MarkedPath[],
): Value | undefined {
  const fields = fieldsOf(config);
  const names = schema.attributes.id?.reveals ?? [];
  const parts = names.map((name) => fields?.get(name));
  const when = fields?.get("when");
  const isHidden = marks.some(
    ({ path: [step] }) => step === undefined || names.some((name) => isAt(step, name)),
  );
  if (fields === undefined || names.length === 0 || isHidden) return undefined;
  if (when !== undefined && !isNull(when) && when.data !== true) return undefined;
  if (!parts.every((part) => part !== undefined && isWhollyKnown(part))) return undefined;
  const id = parts.flatMap((part) => (isNull(part!) ? [] : [toPlain(part!)])).join(", ");
  return { type: config.type, data: new Map([...fields, ["id", stringValue(id)]]) };
}

const isAt = (step: PathStep, name: string): boolean => "attribute" in step && step.attribute === name;

/** Instances that would undo each other's work for ever: the same object on the same host, wanted differently. */
export function conflicts(instances: readonly Holder[]): readonly Diagnostic[] {
  const holders = new Map<string, HeldBy[]>();
  const fights = new Map<string, Fight>();
  for (const holder of instances) {
    if (isSkipped(holder.planned)) continue;
    const jumpPath = jumpPathOf(getPath(holder.planned, at("ssh")));
    for (const { written, identity } of heldNames(holder)) {
      const object = `${identity} ${jumpPath}`;
      const before = holders.get(object) ?? [];
      holders.set(object, before);
      const found = fightAbout(holder, before);
      before.push({ holder, written });
      if (found === undefined) continue;
      const fight = fights.get(object) ?? { ...found, others: [] };
      fights.set(object, { ...fight, others: [...fight.others, { holder, written }] });
    }
  }
  return [...fights.values()].map(twice);
}

function fightAbout(holder: Holder, before: readonly HeldBy[]): Pick<Fight, "first" | "name"> | undefined {
  for (const first of before) {
    const name = first.holder === holder ? undefined : contradicting(holder, first.holder);
    if (name !== undefined) return { first, name };
  }
  return undefined;
}

interface HeldBy {
  readonly holder: Holder;
  /** What that calls it. */
  readonly written: string;
}

/** An object that several instances hold, and a setting that they want differently. */
interface Fight {
  readonly first: HeldBy;
  readonly others: readonly HeldBy[];
  readonly name: string;
}

/** More addresses than these are counted. */
const mostNamed = 2;

/** A setting that is visible on the host and that the two want to be different. */
function contradicting(a: Holder, b: Holder): string | undefined {
  const { schema } = a.type;
  const names = namesIn(schema);
  return Object.entries(schema.attributes).find(([name, attribute]) => {
    if (!attribute.observed || names.includes(name)) return false;
    const [one, other] = [wantedValue(a, name), wantedValue(b, name)];
    return one !== undefined && other !== undefined && !meansSame(attribute, one, other);
  })?.[0];
}

/** Undefined where the instance does not want it to be anything, and where that is not known. */
function wantedValue({ type: { schema }, planned, wanted }: Holder, name: string): Value | undefined {
  if (!(wanted ?? wantedSettings(schema, planned)).has(name)) return undefined;
  const attribute = schema.attributes[name]!;
  const value = fieldsOf(planned)?.get(name);
  if (value === undefined || !isWhollyKnown(value)) return undefined;
  if (!isNull(value)) return value;
  return attribute.standard === undefined ? undefined : fromPlain(attribute.standard, attribute.type);
}

function meansSame(attribute: AttributeSchema, one: Value, other: Value): boolean {
  if (valuesEqual(one, other) || sameMeaning(attribute, one, other)) return true;
  const [a, b] = [one.data, other.data];
  const { fits } = attribute;
  return fits !== undefined && typeof a === "string" && typeof b === "string" && (fits(a, b) || fits(b, a));
}

/** Whether its `id` is a secret, or reveals one. */
const hidesId = ({ type, marks }: Holder): boolean =>
  withFollowing(type.schema, marks).some(({ path: [step] }) => step === undefined || isAt(step, "id"));

/** One message for each object, however many instances hold it. */
function twice({ first, others, name }: Fight): Diagnostic {
  const all = [first, ...others];
  const names = [...new Set(all.map(({ written }) => written))];
  const id = all.some(({ holder }) => hidesId(holder))
    ? "one object"
    : names.length === 1
      ? names[0]!
      : `${names.slice(0, mostNamed).join(" and ")}, which are one object there,`;
  const endpoint = endpointText(endpointOf(getPath(first.holder.planned, at("ssh"))) ?? "");
  const both = all
    .slice(0, mostNamed)
    .map(({ holder }) => named(holder))
    .join(" and ");
  const more = others.length < mostNamed ? "both" : `and ${all.length - mostNamed} more`;
  return errorDiagnostic(
    "Two instances manage one object",
    `${both} ${more} manage ${id} on ${endpoint}, and want another ${name}: each would undo what the other did. Leave it to one of them.`,
    pointing(others[0]!.holder),
  );
}
