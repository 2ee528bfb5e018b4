/**
 * @module The decision about one instance, with everything that acting on it needs.
 */

import type { RealNames } from "../../core/index.ts";
import type { Decision } from "../../revision/decision.ts";
import { withFollowing } from "../../schema/sensitive-parts.ts";
import { type InstanceKey, instanceAddress, resourceNameOf } from "../../values/address.ts";
import { type MarkedPath, markPaths, withMarks } from "../../values/marks.ts";
import { formatPath, type Path, within } from "../../values/path.ts";
import { isNull, nullValue, type Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";
import type { LoadedResource, LoadedType } from "../evaluate/load.ts";
import type { Self } from "../evaluate/names/self.ts";
import type { Access } from "../evaluate/resources/resource-values.ts";
import type { Subject } from "../evaluate/resources/subject.ts";
import type { PlannedChange } from "../plan.ts";
import type { CheckResult } from "../state/check-results.ts";
import type { MovedInstance } from "./stored/moves.ts";
import type { Refreshed } from "./stored/refresh.ts";

export interface PlannedInstance {
  readonly subject: Subject;
  /** Address of its resource. */
  readonly resource: string;
  readonly key: InstanceKey;
  /** Of an old object that is to be deleted: which one of the instance. Absent: the instance itself. */
  readonly deposed?: string;
  readonly type: LoadedType;
  /** Undefined for what is not configured any more. */
  readonly loaded: LoadedResource | undefined;
  /** Undefined for what is not there. */
  readonly existing: Refreshed | undefined;
  /** What planning it again is given: kept with the object that there is, or with what was begun of it. */
  readonly priorPrivate: Uint8Array;
  /** Whether a run was cut off that had begun to change what is stored. */
  readonly unsettled: boolean;
  readonly self: Self;
  /** Without marks; null for a delete. */
  readonly config: Value;
  /** Without marks; null for a delete. */
  readonly planned: Value;
  readonly plannedPrivate: Uint8Array;
  /** Sensitive paths of the planned object, by configuration and schema. */
  readonly marks: readonly MarkedPath[];
  readonly decision: Decision;
  /** What the configuration of the instance refers to. */
  readonly accesses: readonly Access[];
  /** What its host calls its object, where that is another name. */
  readonly realNames?: RealNames;
  /** The settings that it brings back whenever they are otherwise. */
  readonly wanted?: ReadonlySet<string>;
  /** Of what is to be made: whether its host did not answer when it was planned. Absent: no. */
  readonly unseen?: boolean;
  /** What its conditions come to, as far as is known while planning. Absent where it has none, or none was looked at. */
  readonly conditions?: CheckResult;
}

/** A name that no other object has: an old one is stored beside the one that replaced it. */
export const objectName = ({
  subject: { address },
  deposed,
}: Pick<PlannedInstance, "subject" | "deposed">): string =>
  deposed === undefined ? address : `${address} (deposed object ${deposed})`;

/** The object as it is shown, and as what refers to it sees it. Where there is no value there is nothing to hide. */
export function markedObject(type: LoadedType, object: Value, marks: readonly MarkedPath[]): Value {
  const set = withFollowing(type.schema, marks).filter(({ path }) => {
    const value = getPath(object, path);
    return value !== undefined && !isNull(value);
  });
  return set.length === 0 ? object : markPaths(object, set);
}

/**
 * As the plan shows it.
 *
 * @param read what was read of it
 */
export function plannedChange(
  instance: PlannedInstance,
  moved?: MovedInstance,
  read?: Refreshed,
): PlannedChange {
  const { subject, type, existing, key, loaded, resource, decision } = instance;
  const { address, circuit, member, role, host, ownKey } = subject;
  const marks = withFollowing(type.schema, instance.marks);
  const oldMarks = withFollowing(type.schema, existing?.marks ?? []);
  const before =
    existing === undefined ? nullValue(type.objectType) : markedObject(type, existing.object, existing.marks);
  const after =
    existing !== undefined &&
    instance.planned === existing.object &&
    sameMarks(instance.marks, existing.marks)
      ? before
      : markedObject(type, instance.planned, instance.marks);
  return {
    address,
    type: type.name,
    name: loaded?.resource.name ?? resourceNameOf(resource).name,
    key,
    circuit,
    member,
    role,
    host,
    ...(ownKey === undefined ? {} : { ownKey }),
    ...(instance.deposed === undefined ? {} : { deposed: instance.deposed }),
    ...(loaded === undefined ? {} : { repetition: repetitionOf(loaded) }),
    decision: maskedDecision(decision, [...marks, ...oldMarks]),
    ...(existing?.unread || instance.unseen ? { unread: true } : {}),
    ...(existing?.unreached || instance.unseen ? { unreached: true } : {}),
    ...(existing?.importing === undefined ? {} : { importing: existing.importing }),
    ...(moved === undefined ? {} : { movedFrom: instanceAddress(moved.from.resource, moved.from.key) }),
    ...(read === undefined ? {} : asStored(read)),
    before,
    after,
  };
}

const repetitionOf = ({ resource: { forEach, count } }: LoadedResource) =>
  forEach !== undefined ? "each" : count !== undefined ? "count" : "single";

const asStored = ({ type, stored, before, object, marks }: Refreshed) => ({
  prior: stored,
  ...(before === object ? {} : { stored: markedObject(type, before, marks) }),
});

/** Whether both are the same paths. */
const sameMarks = (a: readonly MarkedPath[], b: readonly MarkedPath[]): boolean =>
  a === b || (a.length === b.length && pathList(a) === pathList(b));

const pathList = (marks: readonly MarkedPath[]): string =>
  marks
    .map(({ path }) => formatPath(path))
    .sort()
    .join("\n");

/** The decision with marks on the values in it: the provider gave them without. */
function maskedDecision(decision: Decision, marks: readonly MarkedPath[]): Decision {
  if (marks.length === 0 || decision.edits.length + decision.drift.length === 0) return decision;
  const mask = (change: Decision["edits"][number]) => ({
    ...change,
    before: change.before && masked(change.before, change.path, marks),
    after: change.after && masked(change.after, change.path, marks),
  });
  return { ...decision, edits: decision.edits.map(mask), drift: decision.drift.map(mask) };
}

/** What is at `path` of an object that has these marks. */
function masked(value: Value, path: Path, marks: readonly MarkedPath[]): Value {
  const inside = marks
    .filter((mark) => mark.path.length > path.length && within(mark.path, path))
    .map((mark) => ({ path: mark.path.slice(path.length), marks: mark.marks }));
  const above = marks.filter((mark) => within(path, mark.path));
  return withMarks(
    markPaths(value, inside),
    above.flatMap((mark) => [...mark.marks]),
  );
}
