/**
 * @module Removes a directory with everything in it, unless something is mounted there.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { goToHolder } from "./enter.ts";
import { mounts } from "./mounts.ts";
import { noneMovedBelow, notMovedHere } from "./not-moved.ts";
import { toEach } from "./one-by-one.ts";

/**
 * `c3x_remove_tree` removes `./$c3x_name`. What is mounted while it runs is left by `rm` itself, where it can: GNU by a long
 * option, which is also the sign that it goes by no name that leads through directories; BSD by `-x`, which is all there is
 * where there is no `/proc`. For any other (busybox) each name is removed in its directory.
 */
const removeTree = (path: string): Script => script`c3x_remove_tree() {
  [ -d "./$c3x_name" ] && ! [ -L "./$c3x_name" ] || return 0
  if ! [ -d /proc/1 ]; then rm -rfx -- "./$c3x_name"; return; fi
  [ -r /proc/self/mountinfo ] || { printf '%s\n' ${`what is mounted below ${path} cannot be told: /proc/self/mountinfo cannot be read. Nothing was deleted.`} >&2; return 1; }
  m=$(c3x_mounts "$c3x_way/$c3x_name") || return
  if [ -n "$m" ]; then
    printf '%s\n' "nothing was deleted, since this is mounted there:" "$m" "Unmount it first." >&2
    return 1
  fi
  ( cd -P -- "./$c3x_name" && [ "$PWD" = "$c3x_way/$c3x_name" ] || exit
    c3x_not_moved || exit
    set --
    ${noneMovedBelow}
  ) || return
  if rm --one-file-system -f 2>/dev/null; then rm -rf --one-file-system -- "./$c3x_name"; return; fi
  ( cd -P -- "./$c3x_name" && [ "$PWD" = "$c3x_way/$c3x_name" ] || exit
    find . -mindepth 1 -xdev -depth ! -type d -print0 | ${toEach(raw('c3x_act() { rm -f -- "$@"; }'))} || exit
    find . -mindepth 1 -xdev -depth -type d -print0 | ${toEach(raw('c3x_act() { rmdir -- "$@"; }'))}
  ) && rmdir -- "./$c3x_name"
}`;

/** Fails, and deletes nothing, where the directory or something in it is a mount point. */
export const removeWithContents = (path: string): Script =>
  lines([goToHolder(path, false), mounts, notMovedHere, removeTree(path), raw("c3x_remove_tree")]);
