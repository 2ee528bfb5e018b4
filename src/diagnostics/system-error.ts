/**
 * @module Errors of the operating system in words. Node's own messages repeat the path and name system calls.
 * Source for the meanings: errno(3).
 */
import { getSystemErrorMap } from "node:util";
import { unexpectedLocation } from "./unexpected-error.ts";

const words: Readonly<Record<string, string>> = {
  E2BIG: "it would get more arguments than the system takes",
  EACCES: "permission denied",
  EAGAIN: "there are too many processes",
  EBUSY: "it is in use",
  EEXIST: "it exists already",
  EFBIG: "it would be larger than a file may be",
  EISDIR: "it is a directory",
  ELOOP: "too many symbolic links",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this machine",
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

/** What to do, where the meaning does not say it. */
const advice: Readonly<Record<string, string>> = {
  EACCES: "Whoever runs Conn3x needs the right to it.",
  EAGAIN: "ulimit -u shows how many this user may have; end some or raise it.",
  EDQUOT: "Make room there, then run again.",
  EFBIG: "ulimit -f shows the limit; raise it, then run again.",
  EIO: "Look at the disk and into the system's log.",
  EMFILE: "ulimit -n shows how many one process may have; raise it.",
  ENFILE: "End what holds them, or raise fs.file-max.",
  ENOSPC: "Make room there, then run again.",
  EPERM: "Whoever runs Conn3x needs the right to it.",
  EROFS: "Let it be written to, or choose another directory.",
};

/** The meaning as the end of a sentence: `there is no such file or directory`. */
export function systemErrorText(error: unknown): string {
  const { code, errno, syscall, message, path } = error as Partial<NodeJS.ErrnoException>;
  const known = code === undefined ? undefined : words[code];
  // What is about an address has it in the message.
  const isOfFile = path !== undefined || syscall === "write" || syscall?.startsWith("f") === true;
  const named = errno === undefined || !isOfFile ? undefined : getSystemErrorMap().get(errno)?.[1];
  return known ?? named ?? (syscall !== undefined ? message : undefined) ?? unexpectedLocation(error);
}

/** What to do about it, as a whole sentence; empty where its meaning says that. */
export function systemErrorAdvice(error: unknown): string {
  return advice[String((error as Partial<NodeJS.ErrnoException>).code)] ?? "";
}

/** The meaning with its full stop, and what to do. */
export function systemErrorSentence(error: unknown): string {
  const text = `${systemErrorText(error)}.`;
  const todo = systemErrorAdvice(error);
  return todo === "" ? text : `${text} ${todo}`;
}
