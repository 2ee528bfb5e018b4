/**
 * @module Paths on hosts as they are compared, by their text alone.
 */

/** Without doubled slashes, and without one at the end: `/srv//x/` is `/srv/x`, and `/` is empty. */
export const plainPath = (path: string): string => path.replace(/\/+/g, "/").replace(/\/$/, "");
