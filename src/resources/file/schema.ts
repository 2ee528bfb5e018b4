/**
 * @module Settings of `conn3x_file`.
 */
import { bool, type Occupant, string } from "../../schema/schema.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { absolutePath, fileMode, group, owner } from "../paths/settings.ts";
import { backup, follow, unsafeWrite, validate } from "../paths/writing.ts";
import { hostResource, onRemove } from "../settings.ts";
import { bodies } from "./bodies.ts";

/** Undefined where somebody else decides about the content, or that is not known. */
function wholeContent(setting: (name: string) => Plain | undefined): Occupant["whole"] {
  const [drift, content, base64] = [setting("drift"), setting("content"), setting("content_base64")];
  const { mode = null, ignore = null } = (drift ?? {}) as PlainObject;
  const isTheirs =
    drift === undefined ||
    mode === "disabled" ||
    mode === "warn" ||
    (Array.isArray(ignore) && ignore.some((name) => bodies.some((body) => body === name)));
  if (isTheirs || content === undefined || base64 === undefined || setting("source") === undefined)
    return undefined;
  if (typeof content === "string") return { text: Buffer.from(content, "utf8") };
  return typeof base64 === "string" ? { text: Buffer.from(base64, "base64") } : {};
}

export const fileSchema = hostResource(
  "A regular file with given content. Missing parent directories are created with mode `0755`; in a directory of a user they belong to that user.",
  {
    path: absolutePath((setting) => {
      const whole = wholeContent(setting);
      return { what: "file", followsLinks: setting("follow") === true, ...(whole && { whole }) };
    }),
    content: string({
      optional: true,
      anyCharacter: true,
      observed: true,
      oneOf: "body",
      // What counts is what it comes to, and with it the hash: so with the next two.
      hostEffect: false,
      describe:
        "Content as text. Exactly one of `content`, `content_base64`, `source` and `secret_content` is needed.",
    }),
    content_base64: string({
      optional: true,
      observed: true,
      oneOf: "body",
      hostEffect: false,
      describe: "Content as base64 (RFC 4648), for bytes that are not text.",
      check: (text) =>
        isBase64(text) ? undefined : "must be base64 with padding (RFC 4648), without white space",
    }),
    source: string({
      optional: true,
      oneOf: "body",
      hostEffect: false,
      describe:
        "Path of a file on the controller, the machine that Conn3x runs on, with the content. Relative paths start where Conn3x is run. Only the hash is stored.",
      check: (path) => (path === "" ? "must be the path of a file" : undefined),
    }),
    secret_content: string({
      optional: true,
      anyCharacter: true,
      sensitive: true,
      writeOnly: "secret_intact",
      twin: "sha256",
      oneOf: "body",
      describe:
        "Content as text that is written to the host and stored nowhere else: it is in no plan or state, and `sha256` is null. May be ephemeral. With other engines it needs OpenTofu 1.11, Terraform 1.11 or newer. Changes are detected by a salted slow hash (scrypt).",
    }),
    mode: fileMode("0644"),
    owner,
    group,
    follow: follow(
      "its target is then read, written and removed, and the link stays. False: a link is replaced by the file.",
    ),
    validate,
    backup,
    unsafe_write: unsafeWrite,
    sha256: string({
      computed: true,
      observed: true,
      follows: ["content", "content_base64", "source"],
      describe: "SHA-256 of the content in lower-case hexadecimal.",
    }),
    secret_intact: bool({
      computed: true,
      observed: true,
      follows: ["secret_content"],
      describe:
        "Whether the file still has the `secret_content` that was written: false when somebody changed it. Null without `secret_content`.",
    }),
    on_remove: onRemove,
  },
);

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
