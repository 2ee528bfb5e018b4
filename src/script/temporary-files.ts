/**
 * @module Names of temporary files on hosts, and the removal of those left behind: `.conn3x-`, a hash of
 * the path they are for, a word for the run, a word for the file, and the process id of the shell that writes it.
 *
 * After a killed shell or a power failure files are left behind. They are removed when the same path is read
 * again to be changed, or when something is written in the same directory.
 */
import { createHash, randomBytes } from "node:crypto";
import { plainPath } from "../values/host-path.ts";
import { lines, raw, type Script, script } from "./script.ts";
import { walk } from "./walk/go.ts";

/** The part of the name that all temporary files for one path share. */
export const temporaryFamily = (path: string): string =>
  createHash("sha256").update(path).digest("hex").slice(0, 12);

/**
 * Name of a temporary file for `path`, as text for the shell that writes it. Nobody on the host can foretell it.
 *
 * @param run identifies the run: 8 hexadecimal digits
 */
export const temporaryName = (path: string, run = digits()): Script =>
  raw(`.conn3x-${temporaryFamily(path)}-${run}-${digits()}-$$`);

const digits = (): string => randomBytes(4).toString("hex");

/**
 * `c3x_sweep FAMILIES` removes temporary files in the working directory that belong to the acting user (for root: to anybody)
 * and whose writer is gone. One that is not of the families must also have been untouched for a minute: its writer may be
 * on another machine with the same directory.
 *
 * A directory is what a recursion holds objects in, by second names of theirs: it goes where it is the acting user's alone and
 * has nothing but second names of what is beside it, or what the user has removed there whom that belongs to. Whoever gives
 * another directory such a name loses nothing by it.
 */
export const sweepFunction = raw(`c3x_sweep() {
  for t in ./.conn3x-????????????-????????-????????-*; do
    n=\${t##*/.conn3x-} p=\${t##*-}
    case $n in *[!0-9a-f-]*) continue ;; esac
    case $p in '' | *[!0-9]*) continue ;; esac
    if ! [ -L "$t" ]; then
      [ -f "$t" ] || [ -d "$t" ] || continue
      [ -O "$t" ] || [ "$c3x_me" = 0 ] || continue
    fi
    if kill -0 "$p" 2>/dev/null || [ -d "/proc/$p" ]; then continue; fi
    case " $1 " in
      *" \${n%%-*} "*) ;;
      *) [ -n "$(find "$t" -prune -mmin +1 2>/dev/null)" ] || continue ;;
    esac
    if [ -d "$t" ] && ! [ -L "$t" ]; then (c3x_sweep_links "$t" "$PWD/\${t#./}") 2>/dev/null && rmdir -- "$t"
    else rm -f -- "$t"; fi 2>/dev/null
  done
}
c3x_sweep_links() {
  cd -P -- "$1" && [ "$PWD" = "$2" ] || return
  set -- $(c3x_stat "$c3x_modes" .)
  [ "$1" = "$c3x_me" ] && [ $((0x$2 & 0xfff)) -eq $((0x1c0)) ] || return
  for t in ./* ./.[!.]* ./..?*; do
    [ -e "$t" ] || [ -L "$t" ] || continue
    if [ -d "$t" ] && ! [ -L "$t" ]; then return 1; fi
    set -- $(c3x_stat %d:%i:%u "$t" "../\${t#./}")
    [ "$1" = "\${2-}" ] || [ "\${1##*:}" = "$c3x_hands" ] || return
    rm -f -- "$t"
  done
}`);

/**
 * Removes what earlier writes left behind in the working directory. After {@link walk}.
 *
 * @param paths whose temporary files are removed whatever their age
 */
export const sweepHere = (paths: readonly string[]): Script =>
  script`${sweepFunction}
c3x_sweep ${paths.map(temporaryFamily).join(" ")}`;

/** Removes what earlier writes left behind in a directory, for whatever path. Prints nothing and never fails. */
export const sweepIn = (directory: string): Script => sweepDirectories([[directory, ""]]);

/** As {@link sweepIn}, in the directories of all these paths. Their own temporary files are removed whatever their age. */
export function sweepBeside(paths: readonly string[]): Script {
  const beside = new Map<string, string[]>();
  for (const path of paths) {
    const directory = path.slice(0, path.lastIndexOf("/"));
    beside.set(directory, [...(beside.get(directory) ?? []), temporaryFamily(path)]);
  }
  return sweepDirectories([...beside].map(([directory, families]) => [directory, families.join(" ")]));
}

const sweepDirectories = (directories: readonly (readonly [path: string, families: string])[]): Script =>
  lines([
    walk,
    sweepFunction,
    ...directories.map(
      ([path, families]) => script`(c3x_go ${plainPath(path)} && c3x_sweep ${families}) 2>/dev/null || :`,
    ),
  ]);
