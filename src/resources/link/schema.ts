/**
 * @module Settings of `conn3x_link`.
 */
import { bool, oneOf, string } from "../../schema/schema.ts";
import { absolutePath } from "../paths/settings.ts";
import { hostResource, onRemove } from "../settings.ts";

export const linkSchema = hostResource(
  "A symbolic link, or with `kind` a hard link. Missing parent directories are created with mode `0755`; in a directory of a user they belong to that user. The target of a symbolic link need not exist.",
  {
    path: absolutePath((setting) => {
      const kind = setting("kind");
      if (kind === undefined) return undefined;
      if (kind === "hard") return { what: "file", followsLinks: false };
      const target = setting("target");
      return { what: "link", followsLinks: false, ...(typeof target === "string" && { leadsTo: target }) };
    }),
    target: string({
      required: true,
      observed: true,
      describe:
        "Target as written into the link: an absolute path, or one relative to the link's directory. For a hard link the absolute path of the file, on the same file system.",
      check: (target) => {
        if (target === "") return "must not be empty";
        return /[\n\0]/.test(target) ? "must be in one line" : undefined;
      },
    }),
    kind: oneOf(["symbolic", "hard"], {
      standard: "symbolic",
      optional: true,
      observed: true,
      describe:
        "`symbolic` (default), or `hard`: another name of the target's file. A hard link is renewed when the target was replaced by a new file, as `file` and editors do: put its step after the one that writes the file. Hard links cannot be imported.",
    }),
    force: bool({
      optional: true,
      hostEffect: false,
      describe:
        "Whether a file or an empty directory in its place is removed. Default false: that is an error. Another link is always replaced.",
    }),
    on_remove: onRemove,
  },
);
