/**
 * @module The place of a provider's unix socket: a directory that only this user may enter.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SocketPlace {
  readonly path: string;
  /** Removes the directory with all in it. May be called twice, and from a signal handler. */
  remove(): void;
}

/** What the kernel takes as the name of a unix socket, without the ending zero byte (unix(7)). */
const longestPath = 107;

/** @param parent where the directory is made; `/tmp` when the path would get too long for a socket */
export function createSocketPlace(parent = tmpdir()): SocketPlace {
  const name = (base: string) => join(base, "conn3x-XXXXXX", "provider.sock");
  const base = Buffer.byteLength(name(parent)) <= longestPath ? parent : "/tmp";
  // mkdtemp makes directories with mode 0700.
  const directory = mkdtempSync(join(base, "conn3x-"));
  return {
    path: join(directory, "provider.sock"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
