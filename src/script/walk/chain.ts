/**
 * @module Who can change what is in a directory of a host, or the path to it: `sh` functions, and stat(1) as the host has it.
 */
import { raw, type Script } from "../script.ts";

/**
 * - `c3x_stat FORMAT [-L] NAME…` takes formats of what both kinds of stat(1) know by the same letters (`%u`, `%g`, `%d`, `%i`)
 *   and of these: `c3x_hex`, type and mode in hexadecimal, `c3x_bits`, the mode in octal, `c3x_count`, names of the object,
 *   `c3x_bytes`, its size; `c3x_modes` and `c3x_described` are several. Names begin with `.` or `/`.
 * - `c3x_is_trusted UID`: root and the acting user are.
 * - `c3x_chain DIR [..]` looks at the working directory, whose path is DIR, and at all above it, with one process; with `..`
 *   DIR is the one above, and the working directory is left out. Afterwards
 *   - `c3x_owner` is the number of its owner;
 *   - `c3x_hands` says who else than the trusted can change what is there or the path to it, and so can have moved things to
 *     there: nothing, the number of the one user, or `*`. A group of a user's own, with the user's number, is nobody else;
 *   - `c3x_shared` is `y` where there is anybody;
 *   - `c3x_shut` has `UID:GID:G` of the directories that not everybody may search, from the one looked at up to the last that
 *     somebody else can change; `G` is `x` where their group may.
 *   It fails, with `c3x_why`, where the path leads from a directory of one user to one of another: `c3x_unsafe` is then set.
 */
export const chain: Script = raw(`if [ -d /proc/1 ]; then
  c3x_stat() { stat -c "$@"; }
  c3x_hex=%f c3x_bits=%a c3x_count=%h c3x_bytes=%s c3x_names='%U
%G'
else
  c3x_stat() { stat -f "$@"; }
  c3x_hex=%Xp c3x_bits=%Mp%Lp c3x_count=%l c3x_bytes=%z c3x_names='%Su
%Sg'
fi
c3x_modes="%u $c3x_hex" c3x_described="$c3x_bits %u %g $c3x_bytes $c3x_count
$c3x_names"
c3x_is_trusted() { [ "$1" = 0 ] || [ "$1" = "$c3x_me" ]; }
c3x_chain() {
  c3x_d=$1 c3x_up=\${2:-.} c3x_hands='*' c3x_shared=y c3x_unsafe=
  set -- "$c3x_up"
  while [ -n "$c3x_d" ]; do c3x_d=\${c3x_d%/*} c3x_up=$c3x_up/..; set -- "$@" "$c3x_up"; done
  c3x_levels=$# c3x_why='cannot be reached: the directories above it cannot be looked at'
  set -- $(c3x_stat "$c3x_modes %g" "$@")
  [ $# -eq $((3 * c3x_levels)) ] || return 1
  c3x_owner=$1 c3x_hands= c3x_shut= c3x_below= c3x_passed=
  while [ $# -gt 0 ]; do
    c3x_hand=
    if ! c3x_is_trusted "$1"; then
      c3x_hand=$1
      if [ -n "$c3x_below" ] && [ "$c3x_below" != "$1" ] && ! c3x_is_trusted "$c3x_below"; then
        c3x_unsafe="cannot be reached safely: the path to it leads from a directory of user $1 to one of user $c3x_below"
      fi
    fi
    if [ $((0x$2 & 0x12)) -eq 0 ]; then :
    elif [ $((0x$2 & 0x200)) -ne 0 ] && [ -n "$c3x_below" ]; then :
    elif [ $((0x$2 & 2)) -eq 0 ] && [ "$1" = "$3" ] && [ -n "$c3x_hand" ]; then :
    else c3x_hand='*'; fi
    if [ -n "$c3x_hand" ]; then
      c3x_shut=$c3x_shut$c3x_passed c3x_passed=
      case $c3x_hands in '' | "$c3x_hand") c3x_hands=$c3x_hand ;; *) c3x_hands='*' ;; esac
    fi
    if [ $((0x$2 & 9)) -ne 9 ]; then
      if [ $((0x$2 & 8)) -ne 0 ]; then c3x_passed="$c3x_passed $1:$3:x"; else c3x_passed="$c3x_passed $1:$3:"; fi
    fi
    c3x_below=$1
    shift 3
  done
  c3x_shared=\${c3x_hands:+y}
  [ -z "$c3x_unsafe" ] || { c3x_why=$c3x_unsafe; return 1; }
}`);
