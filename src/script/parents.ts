/**
 * @module Directories above a path that are made for it, and how those go again when nothing comes of it.
 *
 * Missing ones get 0755 and belong to the user that acts, whatever the login's umask.
 */
import { raw, type Script, script } from "./script.ts";
import { oneUp } from "./upwards.ts";

const parentOf = (path: string): string => path.replace(/\/+[^/]*\/*$/, "") || "/";

/** Shell text for an EXIT trap. */
const removeMadeParents: Script = raw("c3x_unmake");

/** Makes the directories above a path. */
export function makeParents(path: string): Script {
  const parent = parentOf(path);
  return script`[ -d ${parent} ] || (umask 022 && mkdir -p -- ${parent})`;
}

/**
 * Makes the directories above a path, and removes those that it made when the script ends: until `trap - EXIT`, which says
 * that they are needed. What somebody else has put into them meanwhile stays.
 */
export function makeParentsForNow(path: string): Script {
  const parent = parentOf(path);
  return script`made= base=
c3x_unmake() {
  while [ "$made" != "$base" ]; do
    rmdir -- "$made" 2>/dev/null || ! [ -d "$made" ] || break
    ${raw(oneUp("made"))}
  done
}
if ! [ -d ${parent} ]; then
  made=${parent} base=${parent}
  while ${raw(oneUp("base"))}; [ -n "$base" ] && ! [ -d "$base" ]; do :; done
  trap ${removeMadeParents} EXIT
  trap 'exit 1' HUP INT TERM PIPE
  (umask 022 && mkdir -p -- "$made") || exit 1
fi`;
}
