/**
 * @module Reads regular files only: a pipe or a device could block for ever, or never end. A checkout can have a link to one
 * under the name of any file that is looked for. The null device holds nothing, and is read.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { devNull } from "node:os";

/** Opening waits for nobody at the other end of a pipe. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface ReadRegularOptions {
  /** Whether a pipe is read as well: for what the user names on the command line, as `<(program)`. */
  readonly pipes?: boolean;
}

/** @throws the file system's error, and an error for anything but a regular file */
export async function readRegular(path: string): Promise<Buffer> {
  const file = await open(path, flags);
  try {
    return holdsNothing(await file.stat()) ? Buffer.alloc(0) : await file.readFile();
  } finally {
    await file.close();
  }
}

/** Bytes. @throws as {@link readRegular} */
export async function sizeOfRegular(path: string): Promise<number> {
  const found = await stat(path);
  return holdsNothing(found) ? 0 : found.size;
}

/** Like {@link readRegular}, but synchronous. */
export function readRegularSync(path: string, { pipes = false }: ReadRegularOptions = {}): Buffer {
  const file = openSync(path, pipes ? constants.O_RDONLY : flags);
  try {
    const found = fstatSync(file);
    const isPipe = pipes && (found.isFIFO() || found.isSocket());
    return !isPipe && holdsNothing(found) ? Buffer.alloc(0) : readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** @throws for what is neither a regular file nor the null device; a directory has the file system's own error */
function holdsNothing(found: Stats): boolean {
  if (found.isFile() || found.isDirectory()) return false;
  const nothing = statSync(devNull, { throwIfNoEntry: false });
  if (found.isCharacterDevice() && found.rdev === nothing?.rdev) return true;
  // As an error of the system: its words are shown.
  throw Object.assign(new Error("it is no regular file"), { code: "EINVAL", syscall: "read" });
}
