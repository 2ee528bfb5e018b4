/**
 * @module The names of our temporary files on hosts, and how those go that nobody writes any more: `.conn3x-`, a hash of
 * the path they are for, a word for the run, one of their own, and the process id of the shell that writes them.
 *
 * A killed shell runs no trap, and a host without power runs nothing: what they leave goes when the same file is looked at
 * again to be changed, or something is written beside it.
 */
import { createHash } from "node:crypto";
import { lines, raw, type Script, script } from "./script.ts";

/** What all temporary files for one path have in their names. */
export const temporaryFamily = (path: string): string =>
  createHash("sha256").update(path).digest("hex").slice(0, 12);

/**
 * Name of a temporary file for `path`, for use inside the shell that writes it.
 *
 * @param run names the run, in 8 hexadecimal digits
 * @param nonce one of a kind within the run, likewise
 */
export const temporaryName = (path: string, run = "00000000", nonce = "00000000"): Script =>
  raw(`.conn3x-${temporaryFamily(path)}-${run}-${nonce}-$$`);

/**
 * `c3x_sweep DIRECTORY FAMILIES` removes temporary files of ours that belong to the user that acts (root: to anybody) and
 * whose writer is gone. One for another path than those of the families must have been untouched for a minute, too: its
 * writer may be on another machine that shares the directory.
 */
const sweepFunction = raw(`c3x_sweep() {
  for t in "$1"/.conn3x-????????????-????????-????????-*; do
    n=\${t##*/.conn3x-} p=\${t##*-}
    case $n in *[!0-9a-f-]*) continue ;; esac
    case $p in '' | *[!0-9]*) continue ;; esac
    if ! [ -L "$t" ]; then
      [ -f "$t" ] || continue
      [ -O "$t" ] || [ "$(id -u)" = 0 ] || continue
    fi
    if kill -0 "$p" 2>/dev/null || [ -d "/proc/$p" ]; then continue; fi
    case " $2 " in
      *" \${n%%-*} "*) ;;
      *) [ -n "$(find "$t" -prune -mmin +1 2>/dev/null)" ] || continue ;;
    esac
    rm -f -- "$t" 2>/dev/null
  done
}`);

/**
 * Removes what is left of earlier writes.
 *
 * @param directory shell text, or a path
 * @param paths those whose own temporary files go at once
 */
export const sweep = (directory: Script | string, paths: readonly string[]): Script =>
  script`${sweepFunction}
c3x_sweep ${directory} ${paths.map(temporaryFamily).join(" ")}`;

/** As {@link sweep}, in the directories of all these paths. Prints nothing and never fails. */
export function sweepBeside(paths: readonly string[]): Script {
  const beside = new Map<string, string[]>();
  for (const path of paths) {
    const directory = path.slice(0, path.lastIndexOf("/"));
    beside.set(directory, [...(beside.get(directory) ?? []), temporaryFamily(path)]);
  }
  return lines([
    sweepFunction,
    ...[...beside].map(([directory, families]) => script`c3x_sweep ${directory} ${families.join(" ")}`),
  ]);
}
