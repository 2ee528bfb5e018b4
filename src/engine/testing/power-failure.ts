/**
 * @module A file system of which it is known what would be left of it if the power failed: for a test that replaces
 * `node:fs` with it.
 *
 * ```ts
 * vi.mock("node:fs", async (original) => watchFiles(await original()));
 * ```
 */
import type * as NodeFs from "node:fs";

type Files = typeof NodeFs;

/** Contents by name. */
export type Folder = ReadonlyMap<string, Buffer>;

/**
 * What a power failure takes of what was not flushed: `all` of it; `contents` only, so that names are as they were last;
 * or all but removals (`additions`), since the order of changes need not be kept. A real one is somewhere in between.
 */
export type Loss = "all" | "contents" | "additions";

export const losses: readonly Loss[] = ["all", "contents", "additions"];

interface Watched {
  readonly files: Files;
  /** By the file's identity, as of the last flush. */
  readonly contents: Map<string, Buffer>;
  /** By the folder's identity, as of its last flush: identities by name. */
  readonly names: Map<string, ReadonlyMap<string, string>>;
  readonly paths: Map<number, string>;
  flushes: number;
  changed: () => void;
}

let watched: Watched | undefined;

function theWatched(): Watched {
  if (watched === undefined) throw new Error("files are not watched");
  return watched;
}

/** How often a file's data were flushed so far. */
export const flushes = (): number => theWatched().flushes;

/** Calls back whenever what would be left has changed. */
export function onChange(call: () => void): void {
  theWatched().changed = call;
}

/** What would be left in a folder. */
export function leftAfterPowerFailure(folder: string, loss: Loss): Folder {
  const { files, contents, names } = theWatched();
  const now = namesIn(files, folder);
  const flushed = names.get(identity(files, folder)) ?? new Map<string, string>();
  const left = [...(loss === "contents" ? now : flushed)].filter(
    ([name]) => loss !== "additions" || now.has(name),
  );
  return new Map(left.map(([name, file]) => [name, contents.get(file) ?? Buffer.alloc(0)]));
}

/** @returns `node:fs` with watched flushes and renames */
export function watchFiles(files: Files): Files {
  const own: Watched = {
    files,
    contents: new Map(),
    names: new Map(),
    paths: new Map(),
    flushes: 0,
    changed: () => undefined,
  };
  watched = own;
  const openSync: Files["openSync"] = (path, ...more) => {
    const file = files.openSync(path, ...more);
    own.paths.set(file, String(path));
    return file;
  };
  const fdatasync = (file: number, callback: (error: Error | null) => void): void => {
    const flushed = own.paths.get(file)!;
    // What is written while it is under way may be left out.
    const keep = keeping(own, flushed);
    own.flushes++;
    setImmediate(() => {
      keep();
      callback(null);
    });
  };
  const open: Files["promises"]["open"] = async (path, ...more) => {
    const handle = await files.promises.open(path, ...more);
    handle.sync = async () => keeping(own, String(path))();
    return handle;
  };
  const rename: Files["promises"]["rename"] = async (from, to) => {
    await files.promises.rename(from, to);
    own.changed();
  };
  const promises = { ...files.promises, open, rename };
  return { ...files, openSync, fdatasync: fdatasync as Files["fdatasync"], promises };
}

/** Takes what a file or folder is now. @returns makes that durable */
function keeping(own: Watched, path: string): () => void {
  const { files, contents, names } = own;
  const key = identity(files, path);
  if (files.statSync(path).isDirectory()) {
    const list = namesIn(files, path);
    return () => {
      names.set(key, list);
      own.changed();
    };
  }
  const content = files.readFileSync(path);
  return () => {
    contents.set(key, content);
    own.changed();
  };
}

/** Numbers of files are used again, together with the time of their making they are not. */
function identity(files: Files, path: string): string {
  const { ino, birthtimeNs } = files.statSync(path, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}

const namesIn = (files: Files, folder: string): ReadonlyMap<string, string> =>
  new Map(files.readdirSync(folder).map((name) => [name, identity(files, `${folder}/${name}`)]));
