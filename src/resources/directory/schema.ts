/**
 * @module Settings of `conn3x_directory`.
 */
import { absolutePath, fileMode, group, owner } from "../paths/settings.ts";
import { hostResource, onRemove } from "../settings.ts";

export const directorySchema = hostResource(
  "A directory. Missing parents are made with mode `0755`. Removing it removes it only when it is empty, unless `on_remove` is `delete`, which removes what is in it, too; that deletes nothing where something is mounted at the path or below it.",
  {
    path: absolutePath,
    mode: fileMode("0755"),
    owner,
    group,
    on_remove: onRemove,
  },
);
