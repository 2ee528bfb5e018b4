/**
 * @module Into a directory that a step manages: everything is done from inside, by names relative to it.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { goTo, walk } from "../../script/walk/go.ts";

/**
 * The text begins a script, or a subshell of one: the working directory is then the managed one, which `$PWD` names. Where
 * something else is there, or the path to it is not safe, the script ends with the reason.
 */
export const enter = (path: string, follow: boolean): Script =>
  lines([goToHolder(path, follow), into, raw("c3x_into")]);

/** Goes to what holds the directory, which is `./$c3x_name` there. */
export const goToHolder = (path: string, follow: boolean, parents = false): Script => script`${walk}
c3x_refuse() { printf '%s %s\n' ${path} "$1" >&2; exit 1; }
${goTo(path, follow, parents)}`;

/** Follows no link, not even one that replaces the directory right now: `$PWD` would be another. */
export const into: Script = raw(`c3x_into() {
  [ "$c3x_name" != . ] || return 0
  if [ -d "./$c3x_name" ] && ! [ -L "./$c3x_name" ] && cd -P -- "./$c3x_name" && [ "$PWD" = "$c3x_way/$c3x_name" ]; then :
  else c3x_refuse 'is not a directory any more'; fi
}`);
