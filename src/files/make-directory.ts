/**
 * @module Makes a directory with those that it lies in. Node's own `recursive` tries for ever where a parent is there and
 * takes no directories (`/proc/x`).
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * @param mode permission bits of what is made, less the umask
 * @throws the file system's error; parents that were made stay
 */
export function makeDirectory(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makeDirectory(dirname(path), mode);
    mkdirSync(path, { mode });
  }
}
