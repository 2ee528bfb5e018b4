/**
 * @module Files on the controller that settings name: only their size and hash are planned with and stored.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { systemErrorText } from "../../diagnostics/system-error.ts";
import { sizeOfRegular } from "../../files/read-regular.ts";
import type { Kind, LocalFile, LocalFiles } from "../../resources/kind.ts";
import { fieldsOf } from "../../revision/proposal.ts";
import type { Value } from "../../values/value.ts";

/** Looks at the files that the object's settings name, as far as they are known. */
export async function localFilesOf(kind: Kind, object: Value): Promise<LocalFiles> {
  const fields = fieldsOf(object)!;
  const paths = (kind.localFiles ?? [])
    .map((name) => fields.get(name)?.data)
    .filter((path) => typeof path === "string");
  return new Map(await Promise.all(paths.map(async (path) => [path, await lookAt(path)] as const)));
}

async function lookAt(path: string): Promise<LocalFile> {
  try {
    return { state: "file", size: await sizeOfRegular(path), sha256: await hashFile(path) };
  } catch (error) {
    return { state: "unreadable", why: systemErrorText(error) };
  }
}

/** Read in pieces: a file may be larger than memory. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
