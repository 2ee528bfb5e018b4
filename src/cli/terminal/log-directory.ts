/**
 * @module The directory of `-log`: a file for each host, which only its owner may read.
 */
import { appendFileSync, chmodSync, constants } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../../files/make-directory.ts";

export interface LogDirectory {
  /** @throws Error of the system when it cannot be written */
  append(host: string, text: string): void;
}

/**
 * @param heading what comes before the first text of each file
 * @throws Error of the system when the directory does not exist and cannot be made
 */
export function openLogDirectory(directory: string, heading: string): LogDirectory {
  makeDirectory(directory, 0o700);
  const paths = new Map<string, string>();
  const pathOf = (host: string): string => {
    const known = paths.get(host);
    if (known !== undefined) return known;
    const taken = new Set(paths.values());
    const path = [...candidates(host)].map((name) => join(directory, name)).find((name) => !taken.has(name))!;
    paths.set(host, path);
    append(path, heading);
    // It may have been there, readable for others.
    chmodSync(path, 0o600);
    return path;
  };
  return { append: (host, text) => append(pathOf(host), text) };
}

/** Opened each time: a fleet has more hosts than a process may have open files. Never through a link. */
const append = (path: string, text: string): void =>
  appendFileSync(path, text, {
    mode: 0o600,
    flag: (constants.O_WRONLY |
      constants.O_APPEND |
      constants.O_CREAT |
      constants.O_NOFOLLOW) as unknown as string,
  });

/** Hosts outside of circuits are called by their addresses, which may hold anything. */
function* candidates(host: string): Iterable<string> {
  const safe = host
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^\.*$|^\./, "_")
    .slice(0, 200);
  yield `${safe}.log`;
  for (let n = 2; n < 100_000; n++) yield `${safe}-${n}.log`;
}
