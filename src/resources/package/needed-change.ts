/**
 * @module The change of packages that is due on a host, and what holds it up.
 */
import type { PlainObject } from "../../values/plain.ts";
import type { Change, Inventory } from "./manager.ts";
import { namesOf, sameNames } from "./names.ts";
import { isAsWanted, toInstall } from "./observe.ts";
import type { Simulation } from "./transaction.ts";

export const isRemoval = ({ state }: PlainObject): boolean => state === "absent" || state === "purged";

/** Undefined where the packages are as wanted. A name that others provide must not take them away. */
export function neededChange(want: PlainObject, facts: Inventory): Change | undefined {
  const removes = isRemoval(want);
  const names = removes
    ? [...facts.packages].filter(([, one]) => !isAsWanted(want.state, one)).map(([name]) => name)
    : toInstall(want, facts);
  if (names.length === 0) return undefined;
  const version = !removes && typeof want.version === "string" ? { version: want.version } : {};
  return {
    verb: !removes ? "install" : want.state === "purged" ? "purge" : "remove",
    packages: names.map((name) => ({ name, ...version })),
    overHold: names.some((name) => facts.packages.get(name)!.held),
  };
}

/**
 * What was simulated, if it is what is due: a name turned out to be provided by something, or to be no package's, only with
 * the same answer, and a manager takes such a name for something else.
 */
export function simulationOf(
  want: PlainObject,
  facts: Inventory & { readonly simulation?: Simulation },
): Simulation | undefined {
  const { simulation, packages } = facts;
  const names = neededChange(want, facts)?.packages.map(({ name }) => name) ?? [];
  const isKnown = isRemoval(want) || names.every((name) => packages.get(name)!.available?.length !== 0);
  return simulation !== undefined && isKnown && sameNames(names, simulation.of) ? simulation : undefined;
}

/**
 * Names that a change would have to change although somebody else holds them: the configuration neither says `hold` nor has
 * set it before.
 *
 * @param prior the stored object, with `hold` only where the configuration had set it
 */
export function heldByOthers(
  want: PlainObject,
  change: Change,
  facts: Inventory,
  prior: PlainObject | undefined,
): readonly string[] {
  if (typeof want.hold === "boolean" || prior?.hold === true) return [];
  return change.packages.map(({ name }) => name).filter((name) => facts.packages.get(name)!.held);
}

export const heldText = (names: readonly string[], want: PlainObject): string => {
  const what = `${names.join(", ")} ${names.length === 1 ? "is" : "are"} held there, and not by Conn3x`;
  return isRemoval(want)
    ? `On the host, ${what}. Set hold = false to release and remove ${names.length === 1 ? "it" : "them"}.`
    : `On the host, ${what}. Set hold = true to change the version and hold it again, or hold = false to release it.`;
};

/** Installed packages that are to count as wanted and do not; where a name is provided, those that do so. */
export function toKeep(want: PlainObject, facts: Inventory, change: Change | undefined): readonly string[] {
  if (want.automatic !== false || isRemoval(want)) return [];
  const changed = new Set(change?.packages.map(({ name }) => name));
  return namesOf(want).flatMap((name) => {
    const one = facts.packages.get(name)!;
    if (one.automatic !== true || changed.has(name)) return [];
    return one.state === "installed" ? [name] : one.providers;
  });
}
