/**
 * @module Errors of the operating system in words. Node's own messages repeat the path and name system calls.
 * Source for the meanings: errno(3).
 */
import { unexpectedLocation } from "./unexpected-error.ts";

const words: Readonly<Record<string, string>> = {
  E2BIG: "it would get more arguments than the system takes",
  EACCES: "permission denied",
  EBUSY: "it is in use",
  EEXIST: "it exists already",
  EISDIR: "it is a directory",
  ELOOP: "too many symbolic links",
  EMFILE: "too many open files",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "there is no such file or directory",
  ENOSPC: "there is no space left on the device",
  ENOTDIR: "a part of its path is not a directory",
  ENOTEMPTY: "it is not empty",
  EDQUOT: "the disk quota is used up",
  EIO: "input or output failed",
  EPERM: "that is not permitted",
  EPIPE: "nobody reads it any more",
  EROFS: "the file system is read-only",
};

/** The meaning as the end of a sentence: `there is no such file or directory`. */
export function systemErrorText(error: unknown): string {
  const { code, syscall, message } = error as Partial<NodeJS.ErrnoException>;
  const known = code === undefined ? undefined : words[code];
  return known ?? (syscall !== undefined ? message : undefined) ?? unexpectedLocation(error);
}
