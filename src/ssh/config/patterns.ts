/**
 * @module Patterns of host and user names, as ssh_config(5) defines them under PATTERNS.
 */

/** `*` and `?` only. */
export function glob(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "s");
}

/** Whether one of the patterns matches and none that starts with `!` does. */
export function matchesPatterns(patterns: readonly string[], name: string): boolean {
  if (patterns.some((p) => p.startsWith("!") && glob(p.slice(1)).test(name))) return false;
  return patterns.some((p) => !p.startsWith("!") && glob(p).test(name));
}
