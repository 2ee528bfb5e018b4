/**
 * @module Does something to objects of a tree that other people may be changing: each by its name in the directory that it
 * is in, from inside that.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { temporaryName } from "../../script/temporary-files.ts";
import { walk } from "../../script/walk/go.ts";

/**
 * Shell text that reads names as find(1) prints them from inside the tree (`./a/b`, each before a NUL) and does something to
 * each. What is gone by then is passed over.
 *
 * @param action defines `c3x_act`, which gets names in the working directory (`./b`). With {@link Treatment} `held` nobody
 *   else can turn those names to something else; for a directory it is called inside, with `.`
 * @param treatment `named`: the action follows no link by itself, and what it does is right for whatever is there
 */
export const toEach = (tree: string, action: Script, treatment: Treatment): Script =>
  script`xargs -0 -n 200 sh -c ${lines([walk, action, common, treatment === "held" ? held(tree) : named, raw('c3x_all "$@"')]).text} sh`;

export type Treatment = "named" | "held";

/**
 * `c3x_all` goes to the directory of each, which is no link and has none above it in the tree: `$PWD` would be another. What
 * follows one another in one directory is done together.
 */
const common = raw(`cd -P . || exit
c3x_tree=\${PWD%/}
c3x_all() {
  while [ $# -gt 0 ]; do
    c3x_dir=\${1%/*} c3x_n=0
    for f do
      [ "\${f%/*}" = "$c3x_dir" ] || break
      c3x_n=$((c3x_n + 1))
    done
    ( c3x_in "$@" ) || exit 1
    shift $c3x_n
  done
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

const named = raw('c3x_some() { c3x_act "$@"; }');

/**
 * In a directory that only root and the acting user can write to, names stay what they are. Elsewhere each object gets a
 * second name, in a directory that nobody else can enter, and is changed by that: a hard link is to the object itself, of
 * whatever kind. The first name must still stand for the object and be its only other one, so that it is none that somebody
 * linked to there from elsewhere; a user's own files in the user's own directory are the user's business.
 */
const held = (tree: string): Script => script`c3x_some() {
  for f do
    shift
    if [ -d "$f" ] && ! [ -L "$f" ]; then c3x_inside "$f" || return; else set -- "$@" "$f"; fi
  done
  [ $# -gt 0 ] || return 0
  set -- "$(c3x_stat "$c3x_modes" .)" "$@"
  c3x_owner=\${1%% *} c3x_mode=\${1#* }
  shift
  if c3x_is_trusted "$c3x_owner" && [ $((0x$c3x_mode & 0x12)) -eq 0 ]; then c3x_act "$@"; return; fi
  [ -d /proc/self/fd ] || { printf '%s\n' "what is in $c3x_here can be changed by others, and is not touched" >&2; return 1; }
  c3x_private=${temporaryName(tree)}
  (umask 077 && mkdir -- "./$c3x_private") || return
  ( c3x_hold "$@" ) 8<.
  c3x_status=$?
  rmdir -- "./$c3x_private" 2>/dev/null
  return $c3x_status
}
c3x_inside() (
  cd -P -- "$1" && [ "$PWD" = "$c3x_here/\${1#./}" ] || c3x_changed "$c3x_here/\${1#./}"
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
  set -- "$(stat -c '%d:%i:%h:%u' -- "$@")" "$@"
  c3x_seen=$1
  shift
  for f do
    shift
    set -- "$@" "./\${f#/proc/self/fd/8/}"
  done
  [ "$c3x_seen" = "$(stat -c '%d:%i:%h:%u' -- "$@")" ] || c3x_changed "$c3x_here"
  c3x_i=1
  for c3x_one in $c3x_seen; do
    c3x_links=\${c3x_one#*:*:} c3x_u=\${c3x_one##*:}
    c3x_links=\${c3x_links%:*}
    if [ "$c3x_links" -ne 2 ] && { [ "$c3x_u" != "$c3x_owner" ] || c3x_is_trusted "$c3x_u"; }; then
      eval 'f=\${'$c3x_i'}'
      printf '%s\n' "$c3x_here/\${f#./} is another name (a hard link) of a file elsewhere, in a directory that others can write to, and is not touched. Remove it, or name it in keep." >&2
      exit 1
    fi
    c3x_i=$((c3x_i + 1))
  done
  c3x_act "$@"
}`;
