/**
 * @module Something that several use and that ends with the last of them.
 */

export interface Used {
  users: number;
}

/**
 * Counts one more user.
 *
 * @param end called when nobody is left
 * @returns lets go; may be called more than once
 */
export function use(shared: Used, end: () => void): () => void {
  shared.users++;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    shared.users--;
    if (shared.users === 0) end();
  };
}
