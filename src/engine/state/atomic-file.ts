/**
 * @module Replaces a file as a whole: whoever reads it, and whenever the power fails, it is the old or the new one.
 */
import { constants, promises as fs } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Writes beside the file, makes it durable and renames it. An existing file's mode and, where allowed, owner are
 * kept; a new file gets 0666 less the umask, as OpenTofu's state files do. A symbolic link is followed.
 *
 * @param content all of it, or its parts in order
 * @param like the file whose mode and owner it gets instead of its own, if there is one
 * @throws the file system's error; the file is then as it was
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  like: string = path,
): Promise<void> {
  const target = await fs.realpath(path).catch(() => path);
  const old = await fs.stat(like).catch(() => undefined);
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    const file = await fs.open(temporary, "w", old === undefined ? 0o666 : 0o600);
    try {
      if (old !== undefined) {
        if (old.uid !== process.getuid?.()) await file.chown(old.uid, old.gid).catch(() => undefined);
        await file.chmod(old.mode & 0o7777);
      }
      for (const part of Array.isArray(content) ? content : [content]) await file.writeFile(part);
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

/** Keeps what was in a file beside it, as readable for others as the file and no more. */
export const backUp = (path: string, content: string | Uint8Array): Promise<void> =>
  replaceFile(`${path}.backup`, content, path);

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
