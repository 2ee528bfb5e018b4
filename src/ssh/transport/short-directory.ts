/**
 * @module Where sockets of OpenSSH's programs are made: their paths must be short.
 */
import { makeRunDirectory, type RunDirectory, temporaryDirectories } from "../../files/run-directory.ts";

/** A control socket's path has at most 104 bytes (macOS; 108 on Linux), and `ssh` adds 17 while it binds. */
const longest = 60;

/**
 * A private directory, which goes with this process at the latest.
 *
 * @throws the file system's error when it can be made nowhere
 */
export function makeShortDirectory(): Promise<RunDirectory> {
  const { XDG_RUNTIME_DIR: ofUser } = process.env;
  const candidates = [...(ofUser ? [ofUser] : []), ...temporaryDirectories()];
  return makeRunDirectory(candidates.filter((path) => Buffer.byteLength(path) <= longest));
}
