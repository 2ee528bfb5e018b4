/**
 * @module Reads files that have an end: a pipe that nobody writes to, or a device, would be waited for without one.
 */
import { readFile, stat } from "node:fs/promises";

/** @throws the file system's error, and an error for what is no regular file */
export async function readRegular(path: string): Promise<Buffer> {
  const found = await stat(path);
  // What a directory is the file system says itself.
  if (!found.isFile() && !found.isDirectory()) throw new Error("it is no regular file");
  return readFile(path);
}
