/**
 * @module Replaces a file as a whole: whoever reads it, and whenever the power fails, it is the old or the new one.
 */
import { randomUUID } from "node:crypto";
import { constants, promises as fs } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface Replacing {
  /** The file whose mode and owner it gets instead of its own, if there is one. */
  readonly like?: string;
  /** Permission bits, whatever was there before. */
  readonly mode?: number;
}

/**
 * Writes beside the file, makes it durable and renames it. Without `mode` an existing file's mode and, where allowed,
 * owner are kept; a new file gets 0666 less the umask, as OpenTofu's state files do. A symbolic link is followed; what is
 * there and no file (a device, a pipe) is written to.
 *
 * @param content all of it, or its parts in order
 * @throws the file system's error; the file is then as it was
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { like = path, mode }: Replacing = {},
): Promise<void> {
  const parts = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
  const target = await fs.realpath(path).catch(() => path);
  const there = await fs.stat(target).catch(() => undefined);
  if (there?.isFile() === false) return fs.writeFile(target, parts);
  const temporary = join(dirname(target), temporaryName(basename(target)));
  const old = mode === undefined ? await fs.stat(like).catch(() => undefined) : undefined;
  const file = await fs.open(temporary, "wx", mode ?? (old === undefined ? 0o666 : 0o600));
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

/** Nobody can have put anything in the place of one that is not known before. */
const temporaryName = (name: string): string => `.${name}.${randomUUID()}.tmp`;

/**
 * What {@link replaceFile} leaves beside a file when it is killed.
 *
 * @param name of the file, as a part of a regular expression
 */
export const temporaryNamesOf = (name: string): RegExp =>
  new RegExp(`^\\.${name}\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.tmp$`);

/** Makes the creation, renaming or removal of a file in it durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await fs.open(path === "" ? "." : path, constants.O_RDONLY);
  try {
    await directory.sync();
  } catch (error) {
    // Some network file systems cannot; their renames are as durable as they make them.
    if (!["EINVAL", "ENOTSUP", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    await directory.close();
  }
}
