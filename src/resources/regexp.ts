/**
 * @module Regular expressions that users write for lines of text. They are evaluated here, on the controller, and mean
 * the same whatever tools a host has: JavaScript's (ECMAScript), with flags such as `(?i)` at the start.
 */

/** @throws SyntaxError when it is none */
export function compile(source: string): RegExp {
  const flags = /^\(\?([ims]+)\)/.exec(source);
  return flags === null ? new RegExp(source) : new RegExp(source.slice(flags[0].length), flags[1]);
}

/** What is wrong with a regular expression; undefined when it is fine. */
export function badRegexp(source: string): string | undefined {
  try {
    compile(source);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : "";
    return `must be a regular expression as in JavaScript: ${reason}`;
  }
}

/** `\1` to `\9`, `\g<10>`, `\g<name>`, and `\\` for a backslash: no digit that follows is ever part of a reference. */
const reference = /\\(?:([0-9])|g<(\w+)>|(\\))/g;

/** The text with references replaced by what the groups matched; a group that took no part gives nothing. */
export const expand = (text: string, match: RegExpExecArray): string =>
  text.replace(reference, (_, digit: string | undefined, name: string | undefined, backslash) => {
    if (backslash !== undefined) return "\\";
    const group = digit ?? name ?? "";
    return (/^\d+$/.test(group) ? match[Number(group)] : match.groups?.[group]) ?? "";
  });

/** A reference to a group that the regular expression does not have. */
export function unknownReference(text: string, regexp: RegExp): string | undefined {
  // An alternative that always matches shows how many groups there are, and their names.
  const groups = new RegExp(`${regexp.source}|`, regexp.flags).exec("")!;
  for (const [whole, digit, name] of text.matchAll(reference)) {
    const group = digit ?? name;
    if (group === undefined) continue;
    const known = /^\d+$/.test(group) ? Number(group) < groups.length : group in (groups.groups ?? {});
    if (!known) return whole;
  }
  return undefined;
}
