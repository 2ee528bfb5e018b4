/**
 * @module Makes a directory and its missing parents. Node's own `recursive` never returns where an existing parent
 * accepts no directories (`/proc/x`).
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * @param mode permission bits of new directories, less the umask
 * @throws the file system's error; parents that were made remain
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
