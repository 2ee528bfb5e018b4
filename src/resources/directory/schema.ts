/**
 * @module Settings of `conn3x_directory`.
 */
import { bool } from "../../schema/schema.ts";
import { absolutePath, fileMode, group, owner } from "../paths/settings.ts";
import { hostResource, onRemove } from "../settings.ts";

export const directorySchema = hostResource(
  "A directory. Missing parents are made with mode `0755`. Removing it removes it only when it is empty, unless `on_remove` is `delete`, which removes what is in it, too; that deletes nothing where something is mounted at the path or below it.",
  {
    path: absolutePath,
    mode: fileMode("0755"),
    owner,
    group,
    recurse: bool({
      optional: true,
      observed: true,
      describe:
        "Whether `owner`, `group` and `mode`, as far as they are set, hold for everything in it, too: what differs there is drift. Files get the mode without set-id bits, and may be executed only if somebody may already. Links are not followed, and what is mounted there is left alone. Default false.",
    }),
    on_remove: onRemove,
  },
);
