/**
 * @module Mount points on a host at or below a directory.
 */
import { raw } from "../../script/script.ts";

/**
 * `c3x_mounts DIR` prints the mount points at or below a directory, each on a line; DIR is without links and without a
 * slash at its end. proc_pid_mountinfo(5): the fifth field, in which a backslash and three octal digits stand for
 * blanks and backslashes. A bind mount is on the same device as what is around it: only this list shows it.
 */
export const mounts = raw(String.raw`c3x_mounts() {
  while IFS=' ' read -r _ _ _ _ m _; do
    case $m in
      *\\*) m=$(printf '%b.' "$(printf '%s\n' "$m" | sed 's/\\\([0-7][0-7][0-7]\)/\\0\1/g')"); m=${"$"}{m%.} ;;
    esac
    case $m in "$1" | "$1"/*) printf '%s\n' "$m" ;; esac
  done </proc/self/mountinfo
}`);
