/**
 * @module The advisory lock for making the first row of OpenTofu's table in PostgreSQL: as OpenTofu numbers it, so that
 * both engines mean the same. Below zero, where no row's id is.
 */

/** @returns decimal digits after a minus sign */
export const creationLock = (schema: string, table: string): string =>
  String(-fnv1(Buffer.from(`${schema}\0${table}`)));

/** FNV-1 of 32 bits. Source: the IETF's draft-eastlake-fnv. */
export function fnv1(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
