/**
 * @module The observed packages, in the form of the settings.
 */
import type { Plain, PlainObject } from "../../values/plain.ts";
import type { Inventory, PackageState } from "./manager.ts";
import { fitsVersion, namesOf } from "./names.ts";

/** Whether one package is as `state` wants it, its version apart. */
export function isAsWanted(state: Plain | undefined, one: PackageState): boolean {
  switch (state) {
    case "absent":
      return one.state === "absent" || one.state === "configured";
    case "purged":
      return one.state === "absent";
    default:
      return one.state === "installed" || (one.state !== "broken" && one.providers.length > 0);
  }
}

/** With one name, `state` has what is there; with several, `names` has those that are as wanted. */
export function observePackages({ packages }: Inventory, object: PlainObject): PlainObject {
  const states = [...packages.values()];
  const wrong = [...packages].filter(([, one]) => !isAsWanted(object.state, one)).map(([name]) => name);
  const held = states.length > 0 && states.every((one) => one.held);
  const [only] = states;
  if (typeof object.name !== "string") {
    const names = Array.isArray(object.names)
      ? object.names.filter((name) => !wrong.includes(String(name)))
      : [];
    return { ...object, names, version: null, hold: held, automatic: observedAutomatic(states, object) };
  }
  return {
    ...object,
    state: wrong.length === 0 ? object.state! : shownState(only!),
    version: shownVersion(object.version, only!.version),
    hold: held,
    automatic: observedAutomatic(states, object),
  };
}

/** What was not looked at counts as it was. Null for what is not there, and where it is not to be. */
function observedAutomatic(states: readonly PackageState[], object: PlainObject): Plain {
  if (object.state === "absent" || object.state === "purged") return null;
  const reported = states.flatMap(({ automatic }) => automatic ?? []);
  return reported.length === 0 ? (object.automatic ?? false) : reported.includes(true);
}

/** In the words of `state`; a broken one has a word of its own, so that it is never as wanted. */
const shownState = ({ state }: PackageState): string =>
  ({ installed: "present", broken: "broken", configured: "absent", absent: "absent" })[state];

const shownVersion = (wanted: Plain | undefined, version: string | null): string | null =>
  typeof wanted === "string" && version !== null && fitsVersion(wanted, version) ? wanted : version;

/** Names whose installation is missing, or of another version than the wanted one. */
export function toInstall(want: PlainObject, { packages }: Inventory): readonly string[] {
  return namesOf(want).filter((name) => {
    const one = packages.get(name)!;
    if (!isAsWanted(want.state, one)) return true;
    return typeof want.version === "string" && !fitsVersion(want.version, one.version ?? "");
  });
}
