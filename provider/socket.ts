/**
 * @module Where a provider's unix socket is: a directory that only this user may enter.
 */
import { join } from "node:path";
import { makeRunDirectory, runDirectoryLike, temporaryDirectories } from "../src/files/run-directory.ts";

export interface SocketPlace {
  readonly path: string;
  /** Removes the directory with all in it. May be called twice, and from a signal handler. */
  remove(): void;
}

/** What the kernel takes as the name of a unix socket, without the ending zero byte: 107 on Linux (unix(7)), 103 on macOS. */
const longestPath = 103;

const socketIn = (directory: string): string => join(directory, "provider.sock");

/**
 * @param preferred where the directory is made; among the directories for temporary files when it cannot be made there, or
 *   the path would get too long for a socket
 * @throws the file system's error when it can be made nowhere
 */
export async function createSocketPlace(preferred?: string): Promise<SocketPlace> {
  const parents = [...(preferred === undefined ? [] : [preferred]), ...temporaryDirectories()];
  const fits = (parent: string) => Buffer.byteLength(socketIn(runDirectoryLike(parent))) <= longestPath;
  const { path, remove } = await makeRunDirectory(parents.filter(fits));
  return { path: socketIn(path), remove };
}
