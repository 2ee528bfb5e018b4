/**
 * @module Whether others can have moved a directory of somebody else to where a step removes things: nothing
 * distinguishes it from the step's own, and whoever moved it there could not have emptied it.
 */
import { raw, type Script, script } from "../../script/script.ts";
import { toEach } from "./one-by-one.ts";

/**
 * From inside, after `walk`: `c3x_not_moved` fails with the reason where the working directory, in which there is
 * something, belongs to another than the one user who can rename it. In a sticky directory only its owner can.
 */
export const notMovedHere: Script = raw(`c3x_not_moved() (
  unset IFS
  c3x_chain "\${PWD%/*}" .. || [ -n "$c3x_unsafe" ] || c3x_refuse "$c3x_why"
  [ -n "$c3x_hands" ] || exit 0
  set -- $(c3x_stat "$c3x_modes" . ..)
  [ $# -eq 4 ] || c3x_refuse 'was changed by somebody else meanwhile'
  [ "$1" != "$c3x_hands" ] && [ $((0x$4 & 0x200)) -eq 0 ] || exit 0
  set -- "$1" "$(ls -A)"
  [ -z "$2" ] ||
    c3x_refuse "belongs to user $1, and somebody else can rename it: it may be another directory that was moved to there. Nothing was removed: give it to the owner of the directory above, or remove it by hand."
  exit 0
)`);

/**
 * From inside, with find(1)'s tests for what is looked at as `$@`: ends the script where others have a directory in the tree
 * to which root's, with something in them, can have been moved. Looked for where others have a directory at all.
 */
export const noneMovedBelow: Script = script`if [ -n "$(find . -xdev -type d \( ! -user 0 ! -user "$c3x_me" -o -perm -020 -o -perm -002 \) -print | head -n 1)" ]; then
  find . -mindepth 1 -xdev "$@" -type d \( -user 0 -o -user "$c3x_me" \) ! -empty -print0 | ${toEach(
    raw(`c3x_act() {
  set -- "$(c3x_stat "$c3x_modes" .)" "$@"
  if c3x_is_trusted "\${1%% *}" && [ $((0x\${1#* } & 0x12)) -eq 0 ]; then return 0; fi
  shift
  for f do
    printf '%s is a directory of root or the acting user with something in it, where others can move it to. Nothing was removed: remove it by hand, or name it in keep.\n' "$c3x_here/\${f#./}" >&2
  done
  return 3
}`),
  )} || exit
fi`;
