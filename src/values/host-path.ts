/**
 * @module Comparison of paths on hosts by their text.
 */

/** Without doubled slashes, and without one at the end: `/srv//x/` is `/srv/x`, and `/` is empty. */
export const plainPath = (path: string): string => path.replace(/\/+/g, "/").replace(/\/$/, "");
