/**
 * @module Files on the controller that settings name: only their size and hash are planned with and stored.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Kind, LocalFile, LocalFiles } from "../resources/kind.ts";
import type { Value } from "../values/value.ts";

/** Looks at the files that the object's settings name, as far as they are known. */
export async function localFilesOf(kind: Kind, object: Value): Promise<LocalFiles> {
  const fields = object.data as ReadonlyMap<string, Value>;
  const paths = (kind.localFiles ?? [])
    .map((name) => fields.get(name)?.data)
    .filter((path) => typeof path === "string");
  return new Map(await Promise.all(paths.map(async (path) => [path, await lookAt(path)] as const)));
}

async function lookAt(path: string): Promise<LocalFile> {
  try {
    const { size } = await stat(path);
    return { state: "file", size, sha256: await hashFile(path) };
  } catch (error) {
    return { state: "unreadable", why: reasonOf(error) };
  }
}

/** Read in pieces: a file may be larger than memory. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "it must not be read by the user running Conn3x",
};

export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}
