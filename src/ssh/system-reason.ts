/**
 * @module Errors of this machine's system in words, without the call and the path that Node adds.
 */
import { getSystemErrorMap } from "node:util";
import { unexpectedLocation } from "../diagnostics/unexpected-error.ts";

/**
 * `no such file or directory` for `ENOENT: no such file or directory, open '/x'`. What the system did not say is not
 * shown: other errors may quote what they were given.
 */
export function systemReason(error: unknown): string {
  const { errno, syscall, message } = error as Partial<NodeJS.ErrnoException>;
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  if (known !== undefined) return known[1];
  return syscall !== undefined && message !== undefined ? message : unexpectedLocation(error);
}

/** Whether the system lacks something that others may give back: open files, processes, memory. */
export function isShortage(error: unknown): boolean {
  const { code, info } = error as { readonly code?: unknown; readonly info?: { readonly code?: unknown } };
  return [code, info?.code].some((name) => ["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"].includes(String(name)));
}
