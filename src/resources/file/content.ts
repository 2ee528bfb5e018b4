/**
 * @module The wanted content of a file, from its settings: bytes and their hash.
 */
import { createHash } from "node:crypto";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import { at } from "../../values/path.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import type { LocalFiles } from "../kind.ts";
import type { LocalContent } from "../operation.ts";
import { bodies } from "./bodies.ts";

export function checkBody(config: PlainObject): readonly Diagnostic[] {
  if (bodies.some((name) => config[name] !== null)) return [];
  return [
    errorDiagnostic(
      "Missing content",
      "A file needs one of content, content_base64, source and secret_content.",
      {
        attribute: at("content"),
      },
    ),
  ];
}

/**
 * The hash follows from the content: known when that is. Content that is somebody else's has the hash that it has, and a
 * secret's is not shown: a short one could be guessed from it.
 */
export function planHash(diff: ResourceDiff, local: LocalFiles): void {
  if (["content", "content_base64", "secret_content"].some((name) => diff.isTheirs(name))) return;
  const secret = diff.config("secret_content");
  if (!bodies.every((name) => diff.isKnown(name)) || secret instanceof Unknown) {
    diff.setNewComputed("sha256");
    return;
  }
  if (secret !== null) {
    diff.setNew("sha256", null);
    return;
  }
  const source = diff.get("source");
  if (typeof source !== "string") {
    const bytes = bytesOf({ content: diff.get("content"), content_base64: diff.get("content_base64") });
    if (bytes !== undefined) diff.setNew("sha256", hashOf(bytes));
    return;
  }
  const file = local.get(source);
  if (file?.state === "file") {
    // What was edited is the local file: the setting that names it may be the same.
    const edited = file.sha256 !== diff.lastApplied("sha256");
    if (edited || !diff.isTheirs("source")) diff.setNew("sha256", file.sha256);
  } else {
    const why = file?.why ?? "it was not looked at";
    diff.veto("source", "Local file cannot be read", `${source} on this machine: ${why}.`);
  }
}

/** The wanted content and its hash; undefined where it is left to the host. */
export function contentOf(
  want: PlainObject,
): { readonly content: Buffer | LocalContent; readonly sha256: string } | undefined {
  if (typeof want.source === "string") {
    const sha256 = String(want.sha256);
    return { content: { localPath: want.source, sha256 }, sha256 };
  }
  const content = bytesOf(want);
  return content === undefined ? undefined : { content, sha256: hashOf(content) };
}

/** What the file is to hash to, as far as that is known: null where it is not. */
export const hashWanted = ({ sha256, secret_content: secret }: PlainObject): Plain =>
  typeof secret === "string" ? hashOf(Buffer.from(secret, "utf8")) : (sha256 ?? null);

/** Undefined when no form is set. */
function bytesOf(object: PlainObject): Buffer | undefined {
  if (typeof object.content === "string") return Buffer.from(object.content, "utf8");
  if (typeof object.content_base64 === "string") return Buffer.from(object.content_base64, "base64");
  if (typeof object.secret_content === "string") return Buffer.from(object.secret_content, "utf8");
  return undefined;
}

/** Lower-case hexadecimal SHA-256. */
export const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
