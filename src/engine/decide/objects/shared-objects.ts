/**
 * @module Keeps an object on a host from being deleted under one address while another address holds it: a step that
 * was renamed, two addresses for one file; and tells where two addresses would fight about one object.
 */
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { fieldsOf } from "../../../revision/proposal.ts";
import { valuesEqual } from "../../../values/equal.ts";
import { plainPath } from "../../../values/host-path.ts";
import type { MarkedPath } from "../../../values/marks.ts";
import { at, type PathStep } from "../../../values/path.ts";
import { toPlain } from "../../../values/plain.ts";
import { isNull, stringValue, type Value } from "../../../values/value.ts";
import { getPath, isWhollyKnown } from "../../../values/walk.ts";
import type { LoadedType } from "../../evaluate/load.ts";
import { withFollowing } from "../../evaluate/resources/sensitive-parts.ts";
import { jumpPathOf } from "../jump-path-of.ts";
import { objectName, type PlannedInstance } from "../planned-instance.ts";
import { endpointOf } from "../stored/moved-host.ts";

/**
 * @param ending instances that are deleted, and those that are replaced
 * @param staying all that is there after the apply
 * @returns for each ending object that something else holds, by {@link objectName}: the address of that
 */
export function sharedObjects(
  ending: readonly PlannedInstance[],
  staying: readonly PlannedInstance[],
): ReadonlyMap<string, string> {
  const shared = new Map<string, string>();
  if (ending.length === 0) return shared;
  const holders = new Map<string, string>();
  for (const { type, planned, subject } of staying)
    for (const key of keysOf(identityOf(type, planned), planned, subject.host))
      holders.set(key, subject.address);
  for (const instance of ending) {
    const { type, existing, subject } = instance;
    const object = existing!.object;
    const keys = keysOf(identityOf(type, object), object, subject.host);
    const holder = keys.map((key) => holders.get(key)).find((found) => found !== undefined);
    if (holder !== undefined && (holder !== subject.address || endsAfterwards(instance)))
      shared.set(objectName(instance), holder);
  }
  return shared;
}

/**
 * One object at one address, reached in one way; or, since the way may be edited together with the step, by one name of its
 * host.
 */
function keysOf(identity: string | undefined, object: Value, host: string | undefined): readonly string[] {
  if (identity === undefined) return [];
  const byJumpPath = `${identity} ${jumpPathOf(getPath(object, at("ssh")))}`;
  return host === undefined ? [byJumpPath] : [byJumpPath, `${identity} host ${host}`];
}

/** Whether what takes its place is there before it ends. */
const endsAfterwards = ({ deposed, decision }: PlannedInstance): boolean =>
  deposed !== undefined || decision.createFirst === true;

/**
 * What says which object on which host it is; undefined for what is no object there, as actions and commands are, and
 * where it is not known yet.
 */
export function identityOf(
  { name, schema }: Pick<LoadedType, "name" | "schema">,
  object: Value,
): string | undefined {
  if (isNull(object) || !Object.values(schema.attributes).some(({ identity }) => identity)) return undefined;
  const id = getPath(object, at("id"))?.data;
  const endpoint = endpointOf(getPath(object, at("ssh")));
  return typeof id === "string" && endpoint !== undefined
    ? JSON.stringify([name, spelledAlike(id), endpoint])
    : undefined;
}

/** Paths with doubled slashes or one at the end, and units with and without their usual ending, are the same. */
const spelledAlike = (id: string): string =>
  id.startsWith("/") ? plainPath(id) : id.replace(/\.service$/, "");

/** What conflicts are told from. */
export type Holder = Pick<PlannedInstance, "type" | "planned" | "marks" | "subject" | "loaded">;

/**
 * A configured object as one that is planned, with what its `id` is made of in place of that.
 *
 * @returns undefined where that is not known or is a secret, and where the object may be skipped
 */
export function identified(
  { schema }: Pick<LoadedType, "schema">,
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
  const holders = new Map<string, Holder>();
  const fights = new Map<string, Fight>();
  for (const instance of instances) {
    const object = isSkipped(instance.planned) ? undefined : identityOf(instance.type, instance.planned);
    if (object === undefined) continue;
    const identity = `${object} ${jumpPathOf(getPath(instance.planned, at("ssh")))}`;
    const holder = holders.get(identity);
    if (holder === undefined) {
      holders.set(identity, instance);
      continue;
    }
    const name = contradicting(instance, holder);
    if (name === undefined) continue;
    const fight = fights.get(identity) ?? { holder, others: [], name };
    fights.set(identity, { ...fight, others: [...fight.others, instance] });
  }
  return [...fights.values()].map(twice);
}

/** An object that several instances hold, and a setting that they want differently. */
interface Fight {
  readonly holder: Holder;
  readonly others: readonly Holder[];
  readonly name: string;
}

/** More addresses than these are counted. */
const mostNamed = 2;

export const isSkipped = (object: Value): boolean => getPath(object, at("skipped"))?.data === true;

/** A setting that is visible on the host and that the two set to different values. */
function contradicting(a: Holder, b: Holder): string | undefined {
  const [left, right] = [a.planned.data, b.planned.data] as readonly ReadonlyMap<string, Value>[];
  return Object.entries(a.type.schema.attributes).find(([name, { observed }]) => {
    const [one, other] = [left!.get(name)!, right!.get(name)!];
    const isSet = (value: Value) => !isNull(value) && isWhollyKnown(value);
    return observed && isSet(one) && isSet(other) && !valuesEqual(one, other);
  })?.[0];
}

/** Whether its `id` is a secret, or tells one. */
const hidesId = ({ type, marks }: Holder): boolean =>
  withFollowing(type.schema, marks).some(({ path: [step] }) => step === undefined || isAt(step, "id"));

/** One message for each object, however many instances hold it. */
function twice({ holder, others, name }: Fight): Diagnostic {
  const id = [holder, ...others].some(hidesId)
    ? "one object"
    : String(getPath(holder.planned, at("id"))?.data);
  const endpoint = endpointOf(getPath(holder.planned, at("ssh")));
  const first = others[0]!;
  const range = first.loaded?.resource.range;
  const named = [holder, ...others.slice(0, mostNamed - 1)]
    .map(({ subject }) => subject.address)
    .join(" and ");
  const more = others.length < mostNamed ? "both" : `and ${others.length + 1 - mostNamed} more`;
  return errorDiagnostic(
    "Two instances manage one object",
    `${named} ${more} manage ${id} on ${endpoint}, and want another ${name}: each would undo what the other did. Leave it to one of them.`,
    { address: first.subject.address, ...(range === undefined ? {} : { range }) },
  );
}

/** Says that the object of an instance stays. */
export function staysOnHost(address: string, holder: string): Diagnostic {
  const detail =
    address === holder
      ? `The old object of ${address} and the new one of ${holder} are the same on the host: it is written, and not deleted afterwards.`
      : `${address} ends, and ${holder} is the same object on the same host: it is left to the latter and only forgotten at the former.`;
  return warningDiagnostic("Object on the host is not deleted", detail, { address });
}
