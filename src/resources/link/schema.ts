/**
 * @module Settings of `conn3x_link`.
 */
import { bool, string } from "../../schema/schema.ts";
import { absolutePath } from "../paths/settings.ts";
import { hostResource, onRemove } from "../settings.ts";

export const linkSchema = hostResource(
  "A symbolic link. Missing parent directories are made with mode `0755`. What it leads to need not exist.",
  {
    path: absolutePath,
    target: string({
      required: true,
      observed: true,
      describe:
        "What it leads to, as it is written into the link: an absolute path, or one relative to the link's directory.",
      check: (target) => {
        if (target === "") return "must not be empty";
        return /[\n\0]/.test(target) ? "must be in one line" : undefined;
      },
    }),
    force: bool({
      optional: true,
      hostEffect: false,
      describe:
        "Whether a file or an empty directory that is in its place is removed for it. Default false: that is an error. Another link is always replaced.",
    }),
    on_remove: onRemove,
  },
);
