/**
 * @module The packages of an object, and the form of names and versions.
 */
import { isDeepStrictEqual } from "node:util";
import type { Show } from "../../schema/schema.ts";
import type { PlainObject } from "../../values/plain.ts";

export const namesOf = ({ name, names }: PlainObject): readonly string[] => {
  if (typeof name === "string") return [name];
  return Array.isArray(names) ? [...new Set(names.map(String))].sort() : [];
};

/**
 * Letters, digits and what Debian, RPM, Alpine and Arch have beside them, with an architecture after a colon. A tool
 * would take a `-` at the end for "remove", and an asterisk for a pattern.
 */
export function badName(name: string, show: Show): string | undefined {
  if (/[=<>]/.test(name))
    return `is a name alone${show(`, and "${name}" has more`)}: write a version as version`;
  if (name.endsWith("-")) return `must not end with "-", which tells apt to remove${show(`: "${name}"`)}`;
  return /^[A-Za-z0-9][A-Za-z0-9+._-]*(:[a-z0-9-]+)?$/.test(name)
    ? undefined
    : `must be the exact name of a package${show(`, not "${name}"`)}`;
}

/** Two lists of the same names in whatever order. */
export const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  isDeepStrictEqual([...new Set(a)].sort(), [...new Set(b)].sort());

/** Whether a version is the wanted one; an asterisk at the end of that stands for anything. */
export const fitsVersion = (wanted: string, version: string): boolean =>
  wanted.endsWith("*") ? version.startsWith(wanted.slice(0, -1)) : wanted === version;
