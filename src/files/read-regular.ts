/**
 * @module Reads regular files only: a pipe or a device could block for ever.
 */
import { readFile, stat } from "node:fs/promises";

/** @throws the file system's error, and an error for anything but a regular file */
export async function readRegular(path: string): Promise<Buffer> {
  const found = await stat(path);
  // For a directory the file system has an error of its own.
  if (!found.isFile() && !found.isDirectory()) {
    // As an error of the system: its words are shown.
    throw Object.assign(new Error("it is no regular file"), { code: "EINVAL", syscall: "read" });
  }
  return readFile(path);
}
