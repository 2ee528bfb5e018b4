/**
 * @module Keeps an object on a host from being deleted under one address while another address holds it: a step that
 * was renamed, two addresses for one file.
 */
import { type HeldObject, identitiesOf } from "../../../core/index.ts";
import { jumpPathOf } from "../../../login/index.ts";
import { at } from "../../../values/path.ts";
import { getPath } from "../../../values/walk.ts";
import { objectName, type PlannedInstance } from "../planned-instance.ts";

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
  for (const instance of staying)
    for (const key of keysOf(instance, instance.subject.host)) holders.set(key, instance.subject.address);
  for (const instance of ending) {
    const { type, existing, subject } = instance;
    const { object, realNames } = existing!;
    const keys = keysOf({ type, planned: object, ...(realNames && { realNames }) }, subject.host);
    const holder = keys.map((key) => holders.get(key)).find((found) => found !== undefined);
    if (holder !== undefined && (holder !== subject.address || endsAfterwards(instance)))
      shared.set(objectName(instance), holder);
  }
  return shared;
}

/**
 * One object at one address by one jump path; or, since the path may be edited together with the step, by one name of its
 * host.
 */
function keysOf(held: HeldObject, host: string | undefined): readonly string[] {
  const jumpPath = jumpPathOf(getPath(held.planned, at("ssh")));
  return identitiesOf(held).flatMap((identity) => {
    const byJumpPath = `${identity} ${jumpPath}`;
    return host === undefined ? [byJumpPath] : [byJumpPath, `${identity} host ${host}`];
  });
}

/** Whether its replacement is there before it ends. */
const endsAfterwards = ({ deposed, decision }: PlannedInstance): boolean =>
  deposed !== undefined || decision.createFirst === true;
