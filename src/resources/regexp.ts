/**
 * @module Regular expressions that users write for lines of text. They are evaluated here, on the controller, and mean
 * the same whatever tools a host has: RE2's, as in the language's `regex`.
 */

import { type GoMatch, type GoRegExp, goRegExp, groupNamed, isGoRegExp } from "../regexp/go-regexp.ts";
import type { Show } from "../schema/schema.ts";

/** @param source one that {@link badRegexp} finds nothing wrong with */
export function compile(source: string): GoRegExp {
  const regexp = goRegExp(source);
  if (!isGoRegExp(regexp)) throw new Error(`unchecked regular expression ${source}: ${regexp.problem}`);
  return regexp;
}

/** What is wrong with a regular expression; undefined when it is fine. */
export function badRegexp(source: string, tell: Show): string | undefined {
  const regexp = goRegExp(source);
  return isGoRegExp(regexp) ? undefined : `must be a regular expression${tell(`: ${regexp.problem}`)}`;
}

/** `\1` to `\9`, `\g<10>`, `\g<name>`, and `\\` for a backslash: no digit that follows is ever part of a reference. */
const reference = /\\(?:([0-9])|g<(\w+)>|(\\))/g;

/** The text with references replaced by what the groups of the first match got; a group that took no part gives nothing. */
export function expand(text: string, regexp: GoRegExp, subject: string): string {
  const [match] = regexp.matches(subject);
  return text.replace(reference, (_, digit: string | undefined, name: string | undefined, backslash) =>
    backslash !== undefined ? "\\" : (groupOf(match, digit ?? name ?? "") ?? ""),
  );
}

function groupOf(match: GoMatch | undefined, group: string): string | undefined {
  if (!/^\d+$/.test(group)) return match && groupNamed(match, group);
  return Number(group) === 0 ? match?.text : match?.groups[Number(group) - 1];
}

/** A reference to a group that the regular expression does not have. */
export function unknownReference(text: string, regexp: GoRegExp): string | undefined {
  for (const [whole, digit, name] of text.matchAll(reference)) {
    const group = digit ?? name;
    if (group === undefined) continue;
    const known = /^\d+$/.test(group)
      ? Number(group) <= regexp.groupNames.length
      : regexp.groupNames.includes(group);
    if (!known) return whole;
  }
  return undefined;
}
