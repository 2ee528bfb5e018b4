/**
 * @module What a line is called: by its file, and by the expression that finds it, or else by a digest of its text. An id is
 * shown where nobody knows what is secret, in what other engines print as they work.
 */
import { createHash } from "node:crypto";
import type { JsonObject } from "../../values/json/json-text.ts";
import type { PlainObject } from "../../values/plain.ts";

export function lineId({ path, regexp, line }: PlainObject): string {
  const which = typeof regexp === "string" ? regexp : typeof line === "string" ? digest(line) : undefined;
  return [path, which].filter((part) => typeof part === "string").join(":");
}

/** Long enough to distinguish the lines of a file: 12 hexadecimal digits. */
const digest = (line: string): string => createHash("sha256").update(line).digest("hex").slice(0, 12);

/**
 * In version 0 the id had the text. It is taken from there: where somebody else has edited the line, `line` is theirs, and
 * the id still that of what was applied.
 */
export function withDigest(stored: JsonObject): JsonObject {
  const { id, path, regexp } = stored;
  if (typeof id !== "string" || typeof path !== "string" || typeof regexp === "string") return stored;
  const before = `${path}:`;
  return id.startsWith(before) ? { ...stored, id: before + digest(id.slice(before.length)) } : stored;
}
