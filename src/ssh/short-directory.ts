/**
 * @module Where sockets are made: their paths must be short.
 */
import { tmpdir } from "node:os";

/** A control socket's path has at most 104 bytes (macOS; 108 on Linux), and `ssh` adds 17 while it binds. */
const longest = 60;

/** A directory of this user's, or of all, for private directories in it. */
export function shortDirectory(): string {
  const candidates = [process.env.XDG_RUNTIME_DIR ?? "", tmpdir(), "/tmp"];
  return candidates.find((path) => path !== "" && path.length <= longest) ?? "/tmp";
}
