/**
 * @module Patterns of host names: `web*`, `db?`.
 */

/** Whether all of the name fits: `*` is any text, `?` any one character. */
export function matches(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "s").test(name);
}
