/**
 * @module Puts a link in place and removes one: by its name in the directory that holds it, from inside that.
 */
import { raw, type Script, script } from "../../script/script.ts";
import { temporaryName } from "../../script/temporary-files.ts";
import { goTo, walk } from "../../script/walk/go.ts";
import type { PlainObject } from "../../values/plain.ts";
import type { ScriptOperation } from "../operation.ts";
import { isHard } from "./facts.ts";

/**
 * Under another name first, so that there is no moment without it. (A link to a directory would swallow what is moved to
 * it: options of GNU and busybox, then of BSD, keep it from that. A hard link to what is there already is not moved: it goes.)
 *
 * @param over what the link replaces
 */
export function makeLink(want: PlainObject, over: "new" | "link" | "file" | "directory"): ScriptOperation {
  const path = String(want.path);
  return {
    do: "script",
    script: script`set -e
${begin(path)}
${isHard(want) ? findTarget(path, String(want.target)) : raw("")}
trap c3x_unmake EXIT
trap 'exit 1' HUP INT TERM PIPE
${goTo(path, false, over === "new")}
t=${temporaryName(path)}
trap 'rm -f -- "./$t"; c3x_unmake' EXIT
${isHard(want) ? linkTarget : script`ln -s -- ${String(want.target)} "./$t"`}
${over === "directory" ? raw('rmdir -- "./$c3x_name"') : raw("")}
${over === "new" ? raw('if [ -e "./$c3x_name" ] || [ -L "./$c3x_name" ]; then c3x_refuse "is there by now"; fi') : raw("")}
mv -fT -- "./$t" "./$c3x_name" 2>/dev/null || mv -fh "./$t" "./$c3x_name"
rm -f -- "./$t"
trap - EXIT`,
    purpose: `make the link ${path}`,
    own: false,
  };
}

const begin = (path: string): Script => script`${walk}
c3x_refuse() { printf '%s %s\n' ${path} "$1" >&2; exit 1; }`;

/**
 * The file that a hard link is to be another name of, in an open directory: it itself, and not a link that leads there. In a
 * directory that others can change it must belong to who owns that.
 */
const findTarget = (
  path: string,
  target: string,
): Script => script`c3x_refuse() { printf '%s, the target of %s, %s\n' ${target} ${path} "$1" >&2; exit 1; }
${goTo(target, true)}
c3x_target=$c3x_name
[ -f "./$c3x_target" ] && ! [ -L "./$c3x_target" ] || c3x_refuse 'is not a file'
if [ -n "$c3x_shared" ] && [ "$(c3x_stat %u "./$c3x_target")" != "$c3x_owner" ]; then
  c3x_refuse 'is not linked to: it is in a directory that others can change, and belongs to somebody else than that'
fi
exec 8<.
if [ -d /proc/self/fd ]; then c3x_target=/proc/self/fd/8/$c3x_target; else c3x_target=$c3x_way/$c3x_target; fi
c3x_refuse() { printf '%s %s\n' ${path} "$1" >&2; exit 1; }`;

const linkTarget = raw(`ln -- "$c3x_target" "./$t"
exec 8<&-
[ -f "./$t" ] && ! [ -L "./$t" ] || c3x_refuse 'is not made: what it is to be another name of was changed meanwhile'`);

/** Only what is a link, or for a hard link a file. */
export const removeLinkAt = (path: string, hard: boolean): Script => script`${begin(path)}
${goTo(path, false)}
if ${hard ? raw('[ -f "./$c3x_name" ]') : raw('[ -L "./$c3x_name" ]')}; then rm -f -- "./$c3x_name"; fi`;
