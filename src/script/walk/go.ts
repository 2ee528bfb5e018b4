/**
 * @module Reaches a path on a host where other people have directories: `sh` functions that go to the directory that
 * holds it, and report who else can change what is there.
 *
 * The working directory is bound to an inode: once there, everything goes by names relative to it, and whoever renames a
 * directory or turns one into a link meanwhile changes nothing. What holds it is looked at from inside (`.`, `..`,
 * `../..`), with one process however long the path is, after going there and not before.
 *
 * Trusted are root and the acting user. A symbolic link in a path counts only where a trusted user owns it, in a directory
 * that nobody else can change. From a directory of somebody else nothing is reached that belongs to a third (an "unsafe
 * path transition", as systemd-tmpfiles(8) has it): a directory there is the same user's or a trusted one's, which cannot
 * have been moved to there from elsewhere. The kernel's own protection (`fs.protected_symlinks`) is never relied on.
 */
import { plainPath } from "../../values/host-path.ts";
import { raw, type Script, script } from "../script.ts";
import { chain } from "./chain.ts";

/**
 * - `c3x_go DIR` goes there. Afterwards `c3x_way` is its path without links, `c3x_owner` the number of its owner, and
 *   `c3x_shared` is `y` where somebody else can change what is there or the path to it, else empty. Status 2: it does not
 *   exist; then `c3x_way` is what exists of it and `c3x_rest` what is missing. Status 1: it is not gone to, and `c3x_why`
 *   has the reason, as the rest of a sentence that begins with the path.
 * - `c3x_make DIR` does the same, and makes what is missing with mode 0755: `c3x_made` directories. Where root makes them in
 *   a user's directory they are that user's, as if the user had made them: what is empty, and held by being in it, can be
 *   given away.
 * - `c3x_unmake` removes from inside what `c3x_make` made, as far as it is empty.
 * - `c3x_at PATH FOLLOW [c3x_make]` goes to the directory that holds the path: its name there is `./$c3x_name`. With `y` for
 *   FOLLOW a symbolic link that counts is followed; `c3x_linked` is `y` where there was one.
 * - What {@link chain} has.
 *
 * They change the working directory: call them in a subshell where that matters. `$(pwd)` loses line ends, `$PWD` after
 * `cd -P` does not.
 */
export const walk: Script = raw(`[ "$c3x_walks" = "$$" ] || c3x_me=$(id -u) c3x_walks=$$
c3x_made=0 c3x_hops=0
${chain.text}
c3x_enter() {
  c3x_why='cannot be reached: a directory above it cannot be entered, or was changed meanwhile'
  if [ -d "$1/" ] && ! [ -x "$1/" ]; then c3x_why='is below a directory that the user may not search'; fi
  cd -P -- "\${1:-/}" 2>/dev/null && [ "$PWD" = "\${1:-/}" ] && c3x_chain "$1"
}
c3x_go() {
  c3x_way=$1
  if cd -P -- "\${1:-/}" 2>/dev/null && [ "$PWD" = "\${1:-/}" ]; then c3x_chain "$1"; return; fi
  c3x_resolve "$1" || return
  c3x_enter "$c3x_way"
}
c3x_resolve() {
  c3x_rest=\${1#/}/ c3x_way=
  while [ -n "$c3x_rest" ]; do
    c3x_part=\${c3x_rest%%/*}
    case $c3x_part in
      '' | .) ;;
      ..) c3x_way=\${c3x_way%/*} ;;
      *)
        if [ -L "$c3x_way/$c3x_part" ]; then
          c3x_read "$c3x_way" "$c3x_part" || return
          case $c3x_to in /*) c3x_way= ;; esac
          c3x_rest=$c3x_to/\${c3x_rest#*/}
          continue
        elif [ -d "$c3x_way/$c3x_part" ]; then c3x_way=$c3x_way/$c3x_part
        elif ! [ -x "$c3x_way/" ]; then c3x_why='is below a directory that the user may not search'; return 1
        elif [ -e "$c3x_way/$c3x_part" ]; then c3x_why="cannot be there: $c3x_way/$c3x_part is not a directory"; return 2
        else c3x_why="cannot be there: the directory $c3x_way/$c3x_part does not exist"; return 2; fi ;;
    esac
    c3x_rest=\${c3x_rest#*/}
  done
}
c3x_read() {
  c3x_hops=$((c3x_hops + 1)) c3x_why='leads through too many levels of symbolic links'
  [ $c3x_hops -le 40 ] || return 1
  c3x_enter "$1" || return 1
  c3x_why="leads through the symbolic link $1/$2, which is not followed"
  if [ -n "$c3x_shared" ]; then c3x_why="$c3x_why, because others than root can change it"; return 1; fi
  c3x_u=$(c3x_stat %u "./$2") || return 1
  c3x_is_trusted "$c3x_u" || { c3x_why="$c3x_why, because it belongs to user $c3x_u"; return 1; }
  c3x_to=$(readlink "./$2" && printf x) || return 1
  c3x_to=\${c3x_to%?x}
}
c3x_make() {
  c3x_go "$1"
  c3x_r=$?
  if [ $c3x_r -ne 2 ]; then return $c3x_r; fi
  [ ! -e "$c3x_way/\${c3x_rest%%/*}" ] && c3x_enter "$c3x_way" || return 1
  c3x_heir=
  if [ "$c3x_me" = 0 ] && ! c3x_is_trusted "$c3x_owner"; then c3x_heir=$(c3x_stat %u:%g .) || return 1; fi
  while [ -n "$c3x_rest" ]; do
    c3x_part=\${c3x_rest%%/*} c3x_rest=\${c3x_rest#*/} c3x_why='cannot have a directory made for it'
    [ -n "$c3x_part" ] || continue
    if (umask 022 && mkdir -- "./$c3x_part"); then c3x_made=$((c3x_made + 1))
    elif [ -d "./$c3x_part" ]; then c3x_made=0
    else return 1; fi
    c3x_way=$c3x_way/$c3x_part
    cd -P -- "./$c3x_part" && [ "$PWD" = "$c3x_way" ] || { c3x_made=0; return 1; }
    if [ -n "$c3x_heir" ] && [ "$c3x_made" -gt 0 ] && [ -z "$(ls -A)" ]; then chown -- "$c3x_heir" . || return 1; fi
  done
  c3x_chain "$c3x_way"
}
c3x_unmake() {
  while [ "$c3x_made" -gt 0 ]; do
    c3x_made=$((c3x_made - 1))
    cd -P .. && rmdir -- "./\${c3x_way##*/}" 2>/dev/null || return 0
    c3x_way=\${c3x_way%/*}
  done
}
c3x_at() {
  c3x_name=\${1##*/} c3x_linked= c3x_hops=0
  \${3:-c3x_go} "\${1%/*}" || return
  while [ "$2" = y ] && [ -L "./$c3x_name" ]; do
    c3x_linked=y c3x_made=0
    c3x_read "$c3x_way" "$c3x_name" || return
    case $c3x_to in /*) ;; *) c3x_to=$c3x_way/$c3x_to ;; esac
    while :; do case $c3x_to in ?*/) c3x_to=\${c3x_to%/} ;; *) break ;; esac; done
    c3x_name=\${c3x_to##*/}
    case $c3x_name in
      '' | . | ..) c3x_go "$c3x_to" || return; c3x_name=. ;;
      *) c3x_go "\${c3x_to%/*}" || return ;;
    esac
  done
}`);

/**
 * Goes to the directory that holds the path, whose name there is `./$c3x_name`. Where that must not be, `c3x_refuse` is called:
 * a function of the script's own, with the reason, that ends it.
 *
 * @param follow whether a symbolic link at the path is followed, where it counts
 * @param parents whether missing directories are made
 */
export const goTo = (path: string, follow: boolean, parents = false): Script =>
  script`c3x_at ${plainPath(path)} ${follow ? "y" : "n"} ${parents ? "c3x_make" : "c3x_go"} || c3x_refuse "$c3x_why"`;
