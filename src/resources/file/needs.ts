/**
 * @module The needs of a file: its owner, its group, and space when it is large.
 */
import type { PlainObject } from "../../values/plain.ts";
import type { LocalFiles, Need } from "../kind.ts";
import { largeContent } from "../needs/need.ts";
import { namedOwners } from "../paths/settings.ts";
import { hashWanted } from "./content.ts";
import type { FileFacts } from "./facts.ts";

/** New content is written beside the old, which stays until it is complete. */
export function needsOfFile(object: PlainObject, local: LocalFiles): readonly Need<FileFacts>[] {
  const owners = namedOwners(object);
  const [attribute, bytes] = sizeOf(object, local) ?? ["content", 0];
  if (bytes <= largeContent) return owners;
  const space: Need<FileFacts> = {
    what: "space",
    path: String(object.path),
    bytes,
    attribute,
    isMet: (found) =>
      found.state === "present" && found.facts.kind === "file" && found.facts.sha256 === hashWanted(object),
  };
  return [...owners, space];
}

/** The setting that has the content, and the bytes of it; undefined where that is not known. */
function sizeOf(
  { content, content_base64: base64, source, secret_content: secret }: PlainObject,
  local: LocalFiles,
): readonly [attribute: string, bytes: number] | undefined {
  if (typeof content === "string") return ["content", Buffer.byteLength(content)];
  if (typeof base64 === "string") return ["content_base64", Buffer.byteLength(base64, "base64")];
  if (typeof secret === "string") return ["secret_content", Buffer.byteLength(secret)];
  const file = typeof source === "string" ? local.get(source) : undefined;
  return file?.state === "file" ? ["source", file.size] : undefined;
}
