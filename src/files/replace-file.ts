/**
 * @module Replaces a file atomically: readers, also after a power failure, find either the old or the new content.
 */
import { randomUUID } from "node:crypto";
import { constants, promises as fs } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface Replacing {
  /** A file whose mode and owner are used instead, if it exists. */
  readonly like?: string;
  /** Permission bits, whatever the file had before. */
  readonly mode?: number;
  /** Permission bits of a file that is new: 0666 less the umask, if they are not given. */
  readonly fresh?: number;
}

/**
 * Writes a file next to it, syncs that and renames it. Without `mode` an existing file's mode and, where allowed,
 * owner are kept. A symbolic link is followed; anything but a regular file (a device, a pipe) is written to directly.
 *
 * @param content all of it, or its parts in order
 * @throws the file system's error; the file is then unchanged
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { like = path, mode, fresh = 0o666 }: Replacing = {},
): Promise<void> {
  const parts = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
  const target = await fs.realpath(path).catch(() => path);
  const there = await fs.stat(target).catch(() => undefined);
  if (there?.isFile() === false) return fs.writeFile(target, parts);
  const temporary = join(dirname(target), temporaryName(basename(target)));
  const old = mode === undefined ? await fs.stat(like).catch(() => undefined) : undefined;
  const file = await fs.open(temporary, "wx", mode ?? (old === undefined ? fresh : 0o600));
  try {
    try {
      if (old !== undefined) {
        if (old.uid !== process.getuid?.()) await file.chown(old.uid, old.gid).catch(() => undefined);
        await file.chmod(old.mode & 0o7777);
      }
      for (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await fs.rename(temporary, target);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(target));
}

/** A random name, so that nobody can have put anything there before. */
const temporaryName = (name: string): string => `.${name}.${randomUUID()}.tmp`;

/**
 * What {@link replaceFile} leaves beside a file when it is killed.
 *
 * @param name of the file, as a part of a regular expression
 */
export const temporaryNamesOf = (name: string): RegExp =>
  new RegExp(`^\\.${name}\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.tmp$`);

/** Syncs a directory, so that a file made, renamed or removed in it stays so after a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await fs.open(path === "" ? "." : path, constants.O_RDONLY);
  try {
    await directory.sync();
  } catch (error) {
    // Some network file systems cannot do this: there, renames are as durable as they get.
    if (!["EINVAL", "ENOTSUP", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    await directory.close();
  }
}
