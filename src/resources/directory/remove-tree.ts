/**
 * @module Removes a directory with everything in it, unless something is mounted there.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { mounts } from "./mounts.ts";

/**
 * `c3x_remove_tree DIR`. What is mounted while it runs is left by `rm` itself, where it can: GNU by a long option, BSD by
 * `-x`, which is all there is where there is no `/proc`.
 */
const removeTree = raw(String.raw`c3x_remove_tree() {
  [ -d "$1" ] || return 0
  if ! [ -d /proc/1 ]; then rm -rfx -- "$1"; return; fi
  d=$(cd -P -- "$1" && pwd -P && echo .) || return
  d=${"$"}{d%??}
  [ -r /proc/self/mountinfo ] || { echo "what is mounted below $1 cannot be told: /proc/self/mountinfo cannot be read. Nothing was deleted." >&2; return 1; }
  m=$(c3x_mounts "$d") || return
  if [ -n "$m" ]; then
    printf '%s\n' "nothing was deleted, since this is mounted there:" "$m" "Unmount it first." >&2
    return 1
  fi
  if rm --one-file-system -f 2>/dev/null; then rm -rf --one-file-system -- "$1"; else rm -rf -- "$1"; fi
}`);

/** Fails, and deletes nothing, where the directory or something in it is a mount point. */
export const removeWithContents = (path: string): Script =>
  lines([mounts, removeTree, script`c3x_remove_tree ${path.replace(/\/+$/, "")}`]);
