/**
 * @module Settings of `conn3x_file`.
 */
import { string } from "../../schema/schema.ts";
import { absolutePath, fileMode, group, owner } from "../paths/settings.ts";
import { hostResource, onRemove } from "../settings.ts";

export const fileSchema = hostResource(
  "A regular file with given content. Missing parent directories are made with mode `0755`. A symbolic link at the path is followed.",
  {
    path: absolutePath,
    content: string({
      optional: true,
      observed: true,
      oneOf: "body",
      describe: "Content as text. Exactly one of `content` and `content_base64` is needed.",
    }),
    content_base64: string({
      optional: true,
      observed: true,
      oneOf: "body",
      describe: "Content as base64 (RFC 4648), for bytes that are no text.",
      check: (text) =>
        isBase64(text) ? undefined : "must be base64 with padding (RFC 4648), without white space",
    }),
    mode: fileMode("0644"),
    owner,
    group,
    sha256: string({
      computed: true,
      observed: true,
      describe: "SHA-256 of the content in lower-case hexadecimal.",
    }),
    on_remove: onRemove,
  },
);

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
