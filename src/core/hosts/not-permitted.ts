/**
 * @module The message for root about an immutable file: the system's own error names no reason (chattr(1)).
 */

export const isNotPermitted = (words: string): boolean => words.includes("Operation not permitted");

export const notPermitted =
  "If the acting user is root, the file or its directory may be immutable or append-only: lsattr shows it, chattr -i (or -a) takes it off.";
