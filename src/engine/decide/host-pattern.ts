/**
 * @module Patterns of host names: `web*`, `db?`.
 */

/** Those of each `-limit`, which may hold several with commas. */
export const patternsIn = (limits: readonly string[]): readonly string[] =>
  limits.flatMap((limit) => limit.split(",")).map((pattern) => pattern.trim());

/** What is wrong with a `-limit`: none that is empty may pass for all hosts. */
export const wrongLimit = (text: string): string | undefined =>
  patternsIn([text]).includes("") ? `must name a host each time, not ${JSON.stringify(text)}` : undefined;

/** Whether all of the name fits: `*` is any text, `?` any one character. */
export function matches(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "s").test(name);
}

/** For who writes what other programs know in patterns; empty where nothing of the kind is there. */
export const patternAdvice = (pattern: string): string =>
  /[[\]{}!^~&]/.test(pattern)
    ? " In patterns * stands for any characters and ? for one; there is nothing else."
    : "";
