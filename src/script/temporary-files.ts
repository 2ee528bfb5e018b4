/**
 * @module Names of temporary files on hosts, and the removal of those left behind: `.conn3x-`, a hash of
 * the path they are for, a word for the run, a word for the file, and the process id of the shell that writes it.
 *
 * After a killed shell or a power failure files are left behind. They are removed when the same path is read
 * again to be changed, or when something is written in the same directory.
 */
import { createHash } from "node:crypto";
import { lines, raw, type Script, script } from "./script.ts";

/** The part of the name that all temporary files for one path share. */
export const temporaryFamily = (path: string): string =>
  createHash("sha256").update(path).digest("hex").slice(0, 12);

/**
 * Name of a temporary file for `path`, as text for the shell that writes it.
 *
 * @param run identifies the run: 8 hexadecimal digits
 * @param nonce unique within the run: 8 hexadecimal digits
 */
export const temporaryName = (path: string, run = "00000000", nonce = "00000000"): Script =>
  raw(`.conn3x-${temporaryFamily(path)}-${run}-${nonce}-$$`);

/**
 * `c3x_sweep DIRECTORY FAMILIES` removes temporary files that belong to the acting user (for root: to anybody) and
 * whose writer is gone. One that is not of the families must also have been untouched for a minute: its
 * writer may be on another machine with the same directory.
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
 * Removes what earlier writes left behind.
 *
 * @param directory shell text, or a path
 * @param paths whose temporary files are removed whatever their age
 */
export const sweep = (directory: Script | string, paths: readonly string[]): Script =>
  script`${sweepFunction}
c3x_sweep ${directory} ${paths.map(temporaryFamily).join(" ")}`;

/** Like {@link sweep}, in the directories of all these paths. Prints nothing and never fails. */
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
