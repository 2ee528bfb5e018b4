/**
 * @module From inside a managed directory: find(1)'s tests for everything in it that a purge or a recursion is about.
 *
 * Spared is what steps put there, by whatever path they name it, with its backups; what `keep` has; and what is mounted
 * there.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { plainPath } from "../../values/host-path.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { slices } from "../paths/at-once.ts";
import { follows } from "../paths/subject.ts";
import { enter } from "./enter.ts";
import { mounts } from "./mounts.ts";
import { type Sparing, sparePaths } from "./spared-paths.ts";

/** Runs `body` in the directory, with the tests as `$@`. */
export function inside(want: PlainObject, sparing: Sparing, body: Script): Script {
  const { path, managed, keep } = want;
  const directory = String(path).replace(/\/+$/, "");
  const ours = texts(managed);
  const kept = texts(keep)
    .flatMap((one) => below(one, directory))
    .flatMap((name) => [name, `${name}/*`]);
  return script`(
${enter(directory, follows(want))}
c3x_chain "$PWD" || c3x_refuse "$c3x_why"
set -f
IFS='
'
d=$PWD
case $d in / | //) echo 'it is the root directory' >&2; exit 1 ;; esac
${mounts}
set -- ! -name ${beingWritten} ! -path ${`*/${beingWritten}/*`} ! -name ${backup} ${kept.flatMap((name) => ["!", "-path", `./${name}`])}
${spareMounts}
${sparePaths(ours, sparing)}
${lines(slices(ours.map(plainPath)).map(spareFiles))}
${body}
)`;
}

/** What `backup` of a file keeps. */
const backup = "*.[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9][0-9][0-9][0-9][0-9]Z*~";
/** Our own temporary files have those who look after them. */
export const beingWritten = ".conn3x-????????????-????????-????????-*";

const spareMounts = raw(String.raw`if [ -d /proc/1 ]; then
  [ -r /proc/self/mountinfo ] || { echo 'what is mounted there cannot be told: /proc/self/mountinfo cannot be read' >&2; exit 1; }
  for m in $(c3x_mounts "$d"); do
    [ "$m" != "$d" ] || continue
    m=./$(printf '%s\n' "${"$"}{m#"$d"/}" | sed 's/[][*?\\]/\\&/g')
    set -- "$@" ! -path "$m" ! -path "$m/*"
  done
  o=-c
else o=-f; fi
v=$(stat "$o" %d .) || exit`);

/** What is ours may be in the directory under another name as a hard link. */
const spareFiles = (
  paths: readonly string[],
): Script => script`for i in $(stat -L "$o" '%d:%i' -- ${paths} 2>/dev/null); do
  case $i in "$v":*) set -- "$@" ! -inum "\${i#*:}" ;; esac
done`;

/** The path relative to the directory; none where it is not below it. A relative one is that already. */
function below(path: string, directory: string): readonly string[] {
  const name = plainPath(path);
  if (!name.startsWith("/")) return [name];
  const prefix = `${plainPath(directory)}/`;
  return name.startsWith(prefix) ? [name.slice(prefix.length)] : [];
}

const texts = (list: Plain | undefined): readonly string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
