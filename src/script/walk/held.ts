/**
 * @module Files that are held open: what a name stands for may be changed by whoever owns the directory, what is open may not.
 */
import { raw, type Script } from "../script.ts";

/**
 * After {@link walk} and `c3x_at`. The file is open as descriptor 5: `{ … } 5<"./$c3x_name"`.
 *
 * - `c3x_facts` prints, with one process, type and mode in hexadecimal, owner and number of names; after that, as `stat`
 *   does for paths, mode, owner, group, size and names, and names of owner and group on lines of their own.
 * - `c3x_check MODE UID NAMES`, with the first three of those, says whether it may be touched: it is a regular file, and no
 *   hard link that somebody made of a file of others. (A user's own file in the user's own directory is the user's
 *   business.) `c3x_hidden` is then `y` where its content must not leave the host: in a directory that others can change
 *   it may have been moved to there, and not everybody may read it. Else `c3x_why` has the reason.
 * - `c3x_held` is both, for those who need no more.
 * - `c3x_sum` prints the SHA-256 of its input.
 */
export const held: Script = raw(`if [ -d /proc/1 ]; then
  c3x_facts() { stat -L -c '%f %u %h %a %u %g %s %h
%U
%G' -- /proc/self/fd/5; }
else
  c3x_facts() { stat -f '%Xp %u %l %Mp%Lp %u %g %z %l
%Su
%Sg' <&5; }
fi
c3x_check() {
  c3x_hidden= c3x_why='was changed while it was looked at'
  [ $((0x$1 & 0xf000)) -eq $((0x8000)) ] || return 1
  [ -n "$c3x_shared" ] || return 0
  if [ "$2" != "$c3x_owner" ] || c3x_is_trusted "$2"; then
    c3x_why='is another name (a hard link) of a file elsewhere, in a directory that others can write to, and is not touched'
    [ "$3" -eq 1 ] || return 1
    [ $((0x$1 & 4)) -ne 0 ] || c3x_hidden=y
  fi
}
c3x_held() {
  set -- $(c3x_facts)
  [ $# -gt 3 ] || set -- 0 0 0
  c3x_check "$1" "$2" "$3"
}
c3x_sum() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256
  elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 -r
  elif command -v busybox >/dev/null 2>&1; then busybox sha256sum
  else return 1; fi
}`);
