/**
 * @module Does something to objects of a tree that other people may be changing: each by its name in the directory that it
 * is in, from inside that.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { temporaryName } from "../../script/temporary-files.ts";
import { walk } from "../../script/walk/go.ts";
import { held } from "../../script/walk/held.ts";

/**
 * Shell text that reads names as find(1) prints them from inside the tree (`./a/b`, each before a NUL) and does something to
 * each. What is gone by then is passed over.
 *
 * @param action defines `c3x_act`, which gets names in the working directory (`./b`), follows no link by itself, and does what
 *   is right for whatever is there
 */
export const toEach = (action: Script): Script => each([walk, action, common, named]);

/**
 * As {@link toEach}, where nobody else can turn those names to something else. For a directory the action is called inside,
 * with `.`, unless nobody else can change names at all.
 *
 * @param deed what the action does, as `c3x_may` has it
 */
export const toEachHeld = (tree: string, action: Script, deed: string): Script =>
  each([walk, held, action, common, holding(tree, deed)]);

const each = (parts: readonly Script[]): Script =>
  script`xargs -0 -n 200 sh -c ${lines([...parts, raw('c3x_all "$@"')]).text} sh`;

/**
 * `c3x_all` goes to the directory of each, which is no link and has none above it in the tree: `$PWD` would be another. What
 * follows one another in one directory is done together.
 */
const common = raw(`cd -P . || exit
c3x_tree=\${PWD%/} c3x_left=0
c3x_all() {
  while [ $# -gt 0 ]; do
    c3x_dir=\${1%/*} c3x_n=0
    for f do
      [ "\${f%/*}" = "$c3x_dir" ] || break
      c3x_n=$((c3x_n + 1))
    done
    ( c3x_in "$@" ) || { c3x_r=$?; [ $c3x_r -eq 3 ] || exit 1; c3x_left=3; }
    shift $c3x_n
  done
  exit $c3x_left
}
c3x_in() {
  c3x_i=0
  for f do
    shift
    if [ $c3x_i -lt $c3x_n ]; then set -- "$@" "./\${f##*/}"; fi
    c3x_i=$((c3x_i + 1))
  done
  [ -d "$c3x_dir" ] || return 0
  c3x_here=$c3x_tree\${c3x_dir#.}
  cd -P -- "$c3x_dir" && [ "$PWD" = "\${c3x_here:-/}" ] || c3x_changed "$c3x_here"
  for f do
    shift
    if [ -e "$f" ] || [ -L "$f" ]; then set -- "$@" "$f"; fi
  done
  [ $# -eq 0 ] || c3x_some "$@"
}
c3x_changed() { printf '%s was changed by somebody else meanwhile\\n' "$1" >&2; exit 1; }`);

/** Exit status where something was refused, and all else done. */
const refused = "3";

const named = raw('c3x_some() { c3x_act "$@"; }');

/**
 * Where only root and the acting user can change names, they stay what they are. Elsewhere each object gets a second name, in
 * a directory that nobody else can enter, and is changed by that: a hard link is to the object itself, of whatever kind. What
 * `c3x_may` refuses is named and left, and the rest is done.
 */
const holding = (tree: string, deed: string): Script => script`c3x_some() {
  c3x_chain "$PWD" || [ -n "$c3x_unsafe" ] || { printf '%s %s\n' "$c3x_here" "$c3x_why" >&2; return 1; }
  if [ -z "$c3x_hands" ]; then c3x_act "$@"; return; fi
  c3x_status=0
  for f do
    shift
    if [ -d "$f" ] && ! [ -L "$f" ]; then c3x_inside "$f" || c3x_worse $?; else set -- "$@" "$f"; fi
  done
  [ $# -gt 0 ] || return $c3x_status
  [ -d /proc/self/fd ] || { printf '%s\n' "what is in $c3x_here can be changed by others, and is not touched" >&2; return 1; }
  c3x_private=${temporaryName(tree)}
  (umask 077 && mkdir -- "./$c3x_private") || return 1
  ( c3x_hold "$@" ) 8<. || c3x_worse $?
  rmdir -- "./$c3x_private" 2>/dev/null
  return $c3x_status
}
c3x_worse() { [ "$c3x_status" -eq 1 ] || c3x_status=$1; }
c3x_say() { printf '%s %s. %s\n' "$1" "$c3x_why" 'Set its owner and mode by hand, remove it, or name it in keep.' >&2; }
c3x_inside() (
  cd -P -- "$1" && [ "$PWD" = "$c3x_here/\${1#./}" ] || c3x_changed "$c3x_here/\${1#./}"
  c3x_may_here ${deed} || { c3x_say "$PWD"; exit ${refused}; }
  c3x_act .
)
c3x_hold() {
  cd -P -- "./$c3x_private" && [ "$PWD" = "$c3x_here/$c3x_private" ] || c3x_changed "$c3x_here"
  set -- "$(c3x_stat "$c3x_modes" . && ls -A)" "$@"
  case $1 in "$c3x_me "*[!0-9a-f]*) c3x_changed "$c3x_here" ;; "$c3x_me "*) ;; *) c3x_changed "$c3x_here" ;; esac
  [ $((0x\${1#* } & 0x3f)) -eq 0 ] || c3x_changed "$c3x_here"
  shift
  trap 'rm -f -- ./* ./.[!.]* ./..?*' EXIT
  for f do
    shift
    set -- "$@" "/proc/self/fd/8/\${f#./}"
  done
  ln -- "$@" . || c3x_changed "$c3x_here"
  set -- "$(c3x_stat '%d:%i' "$@")" "$@"
  c3x_seen=$1
  shift
  for f do
    shift
    set -- "$@" "./\${f#/proc/self/fd/8/}"
  done
  [ "$c3x_seen" = "$(c3x_stat '%d:%i' "$@")" ] || c3x_changed "$c3x_here"
  c3x_seen=$(c3x_stat "$c3x_hex:%u:$c3x_count:%g" "$@") && [ -n "$c3x_seen" ] || c3x_changed "$c3x_here"
  for c3x_one in $c3x_seen; do
    f=$1
    shift
    if c3x_may_still ${deed} "$c3x_one"; then set -- "$@" "$f"; else c3x_say "$c3x_here/\${f#./}"; c3x_status=${refused}; fi
  done
  [ $# -eq 0 ] || c3x_act "$@" || exit 1
  exit "$c3x_status"
}
c3x_may_still() {
  set -- "$1" "\${2%%:*}" "\${2#*:}"
  set -- "$1" "$2" "\${3%%:*}" "\${3#*:}"
  c3x_may "$1" "$2" "$3" "$((\${4%%:*} - 1))" "\${4#*:}"
}`;
