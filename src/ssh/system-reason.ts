/**
 * @module Errors of this machine's system in words, without the call and the path that Node adds.
 */
import { getSystemErrorMap } from "node:util";

/** `no such file or directory` for `ENOENT: no such file or directory, open '/x'`. */
export function systemReason(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  return known?.[1] ?? message ?? String(error);
}
