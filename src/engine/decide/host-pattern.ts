/**
 * @module Which hosts a `-limit` leaves: names and patterns such as `web*`, `db?`, `web[1-3]`; `!db1` leaves hosts out, and of
 * the others `&*.example.org` keeps only those that fit as well.
 */

/** The patterns of all `-limit` options, each of which may hold several with commas. */
export const patternsIn = (limits: readonly string[]): readonly string[] =>
  limits.flatMap((limit) => limit.split(",")).map((pattern) => pattern.trim());

/** What is wrong with a `-limit`: none that is empty may pass for all hosts. */
export const wrongLimit = (text: string): string | undefined =>
  patternsIn([text]).some((pattern) => namesIn(pattern) === "")
    ? `must name a host each time, not ${JSON.stringify(text)}`
    : undefined;

/** @param patterns none: every host is left */
export function isLeft(patterns: readonly string[], name: string): boolean {
  const fitting = (kind: string): boolean[] =>
    patterns.filter((pattern) => kindOf(pattern) === kind).map((pattern) => matches(namesIn(pattern), name));
  const chosen = fitting("");
  return (
    (chosen.length === 0 || chosen.includes(true)) &&
    !fitting("&").includes(false) &&
    !fitting("!").includes(true)
  );
}

/** Whether there is a host that the pattern is about: one that names nothing is a mistake, with `!` as well. */
export const isOfHost = (pattern: string, name: string): boolean => matches(namesIn(pattern), name);

/** For who writes what other programs know in patterns; empty where nothing of the kind is there. */
export const patternAdvice = (pattern: string): string =>
  /[{}^~:]/.test(pattern)
    ? " In patterns * stands for any characters, ? for one and [1-3] for one of these; !PATTERN leaves hosts out, and &PATTERN keeps those that fit as well."
    : "";

const kindOf = (pattern: string): string => (/^[!&]/.test(pattern) ? pattern[0]! : "");

const namesIn = (pattern: string): string => pattern.slice(kindOf(pattern).length).trim();

/** Whether all of the name fits: `*` is any text, `?` any one character, `[1-3]` and `[abc]` one of these, `[!abc]` another. */
export function matches(pattern: string, name: string): boolean {
  const source = pattern.replace(
    /\[(!?)([^\]]+)\]|[.+^${}()|[\]\\*?]/g,
    (part, not?: string, of?: string) => {
      if (of !== undefined) return `[${not === "!" ? "^" : ""}${of.replace(/[\\^[]/g, "\\$&")}]`;
      return part === "*" ? ".*" : part === "?" ? "." : `\\${part}`;
    },
  );
  try {
    return new RegExp(`^${source}$`, "su").test(name);
  } catch {
    // A range that is none, such as [3-1], fits nothing.
    return false;
  }
}
