/**
 * @module What may be done to an object that somebody else may have moved or linked to where it is found. Files are held open
 * meanwhile: what a name stands for may be changed by whoever owns the directory, what is open may not.
 *
 * Whoever can rename in a directory can bring another's file or directory there that they may not read or change: it is
 * known by its owner alone. What that user (or, where there are several, everybody) could read already can be read, given to
 * another owner and opened by its mode without revealing anything new. Nothing else is.
 */
import { raw, type Script } from "../script.ts";

/**
 * After `walk`.
 *
 * - `c3x_may DEED MODE UID LINKS GID` says whether something may be done to an object in the directory that `c3x_chain`
 *   looked at; MODE in hexadecimal, with the type. Else `c3x_why` has the reason. The deeds:
 *   - `touch`: replace or remove it. It must be no hard link that somebody made of a file of others;
 *   - `read`: let its content leave the host;
 *   - `give`: to another owner or group;
 *   - `open:BITS`: set its mode, in octal, and no other owner or group, or root's.
 *   What belongs to the one user who can change things there is that user's business.
 * - `c3x_may_here DEED` says so of the working directory itself. An empty one reveals nothing.
 * - `c3x_open COMMAND…` runs it, in a subshell, with `./$c3x_name` open as descriptor 5, after `c3x_at`. It fails where that
 *   cannot be opened in some seconds: by then it may be a FIFO.
 * - `c3x_facts` prints about the open file, with one process, mode in hexadecimal, owner, number of names, group, and what
 *   identifies it; after that, `c3x_described`.
 * - `c3x_held DEED FACTS…`: {@link held `c3x_may`}, for a regular file, with the first five of those. One that is not the
 *   user's own must have the name still: a link to it may have been there.
 * - `c3x_sum` prints the SHA-256 of its input.
 */
export const held: Script = raw(`c3x_may() {
  c3x_why='was changed while it was looked at'
  [ $# -eq 5 ] || return 1
  case $1 in touch | read | give | open:[0-7]*) ;; *) return 1 ;; esac
  [ -n "$c3x_hands" ] && [ "$3" != "$c3x_hands" ] || return 0
  if [ "$4" -ne 1 ] && [ $((0x$2 & 0xf000)) -ne $((0x4000)) ]; then
    c3x_why='is another name (a hard link) of a file elsewhere, in a directory that others can write to, and is not touched'
    return 1
  fi
  case $1 in
    touch) return 0 ;;
    open:*) [ $((0\${1#open:} & ~0x$2 & 0x3f)) -ne 0 ] || return 0 ;;
  esac
  c3x_is_open "$2" "$5" ||
    { c3x_why="belongs to user $3, and not everybody may read it: somebody who can change its directory may have moved it to there, and it is not touched"; return 1; }
}
c3x_is_open() {
  for c3x_door in $c3x_shut; do
    case $c3x_door in
      "$c3x_hands":*) ;;
      *:x)
        c3x_door=\${c3x_door#*:}
        c3x_is_in "\${c3x_door%:x}" || return 1 ;;
      *) return 1 ;;
    esac
  done
  case $((0x$1 & 0xf000)) in
    40960) return 0 ;;
    32768) c3x_need=$((0x24)) ;;
    16384) c3x_need=$((0x2d)) ;;
    *) c3x_need=$((0x36)) ;;
  esac
  [ $((0x$1 & c3x_need)) -eq $c3x_need ] || { [ $((0x$1 & c3x_need & 0x38)) -eq $((c3x_need & 0x38)) ] && c3x_is_in "$2"; }
}
c3x_is_in() {
  [ "$c3x_hands" != '*' ] || return 1
  if [ "\${c3x_grouped-}" != "$c3x_hands" ]; then
    c3x_grouped=$c3x_hands c3x_groups=
    while IFS=: read -r c3x_n c3x_x c3x_u c3x_x; do
      [ "$c3x_u" != "$c3x_hands" ] || { c3x_groups=$(id -G -- "$c3x_n" 2>/dev/null); break; }
    done </etc/passwd
    [ -n "$c3x_groups" ] || c3x_groups=$(id -G -- "$c3x_hands" 2>/dev/null)
  fi
  case " $c3x_groups " in *" $1 "*) return 0 ;; esac
  return 1
}
c3x_may_here() {
  set -- "$1" $(c3x_stat "$c3x_hex %u 1 %g" .)
  c3x_chain "\${PWD%/*}" .. || [ -n "$c3x_unsafe" ] || return 1
  c3x_may "$@" || c3x_is_empty
}
c3x_is_empty() { c3x_n=$(ls -A) && [ -z "$c3x_n" ]; }
c3x_open() (
  if [ -n "$c3x_hands" ] && [ -d /proc/1 ]; then
    read -r c3x_pid c3x_x </proc/self/stat || exit
    ( cd / && c3x_s= c3x_x=
      trap 'c3x_x=y; kill $c3x_s' TERM
      sleep 5 &
      c3x_s=$!
      [ -z "$c3x_x" ] || kill $c3x_s
      wait $c3x_s && [ -z "$c3x_x" ] && kill -9 "$c3x_pid" ) </dev/null >/dev/null 2>&1 &
    c3x_pid=$!
  else c3x_pid=; fi
  { [ -z "$c3x_pid" ] || kill "$c3x_pid"; c3x_pid=; "$@"; } 5<"./$c3x_name" || {
    c3x_x=$?
    [ -z "$c3x_pid" ] || kill "$c3x_pid"
    exit "$c3x_x"
  }
)
if [ -d /proc/1 ]; then c3x_facts() { c3x_stat "$c3x_hex %u $c3x_count %g %d:%i $c3x_described" -L /proc/self/fd/5; }
else c3x_facts() { c3x_stat "$c3x_hex %u $c3x_count %g %d:%i $c3x_described" <&5; }; fi
c3x_held() {
  c3x_why='was changed while it was looked at'
  [ $# -gt 5 ] && [ $((0x$2 & 0xf000)) -eq $((0x8000)) ] || return 1
  [ -z "$c3x_hands" ] || [ "$3" = "$c3x_hands" ] || [ "$(c3x_stat %d:%i "./$c3x_name")" = "$6" ] || return 1
  c3x_may "$1" "$2" "$3" "$4" "$5"
}
c3x_sum() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256
  elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 -r
  elif command -v busybox >/dev/null 2>&1; then busybox sha256sum
  else return 1; fi
}`);
