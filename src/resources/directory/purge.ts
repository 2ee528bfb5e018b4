/**
 * @module `purge`: finds and removes everything in a directory that no step put there.
 *
 * Both work from inside the directory, with names relative to it, and follow no link, so that nobody can turn a name
 * elsewhere meanwhile. Spared is what steps put there, by whatever path they name it, what `keep` has, and what is
 * mounted there.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { plainPath } from "../../values/host-path.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { AnswerError } from "../kind.ts";
import { slices } from "../paths/at-once.ts";
import { mounts } from "./mounts.ts";
import { sparePlaces } from "./spared-places.ts";

/** Prints what would go, each name after `./` and before a NUL: all but directories, and directories that are empty. */
export const findExtra = (want: PlainObject): Script =>
  inside(want, raw(String.raw`find . -mindepth 1 -xdev "$@" \( ! -type d -o -empty \) -print0`));

/**
 * Files go first, then the directories that are empty without them. `-delete` goes by no name that leads through
 * directories; where there is none (busybox), rm and rmdir are given such.
 */
export const removeExtra = (want: PlainObject): Script =>
  inside(
    want,
    raw(String.raw`if find . -maxdepth 0 -name x -delete 2>/dev/null; then
  find . -mindepth 1 -xdev -depth "$@" ! -type d -delete || exit
  find . -mindepth 1 -xdev -depth "$@" -type d -empty -delete
else
  find . -mindepth 1 -xdev -depth "$@" ! -type d -exec rm -f -- {} + || exit
  find . -mindepth 1 -xdev -depth "$@" -type d -empty -exec rmdir -- {} \;
fi`),
  );

/** Names that are told; of more only how many there are. */
const namesTold = 1000;

/**
 * @param names what {@link findExtra} printed
 * @returns names relative to the directory, in the order of their bytes
 * @throws AnswerError when it is not of that form
 */
export function parseExtra(names: Buffer): readonly string[] {
  if (names.length === 0) return [];
  const all = names.toString("utf8").split("\0");
  if (all.pop() !== "" || !all.every((name) => name.startsWith("./"))) {
    throw new AnswerError("the answer about what is in it is not one name after the other");
  }
  const sorted = all
    .map((name) => name.slice(2))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (sorted.length <= namesTold) return sorted;
  return [...sorted.slice(0, namesTold), `(and ${sorted.length - namesTold} more)`];
}

/** Runs `body` in the directory, with find(1)'s tests for everything that is not to be spared as `$@`. */
function inside({ path, managed, keep }: PlainObject, body: Script): Script {
  const directory = String(path).replace(/\/+$/, "");
  const ours = texts(managed);
  const kept = texts(keep)
    .flatMap((one) => below(one, directory))
    .flatMap((name) => [name, `${name}/*`]);
  return script`(
set -f
IFS='
'
cd -P -- ${`${directory}/`} || exit
d=$(pwd -P && echo .) || exit
d=\${d%??}
case $d in / | //) echo 'it is the root directory' >&2; exit 1 ;; esac
${mounts}
set -- ! -name ${beingWritten} ! -name ${backup} ${kept.flatMap((name) => ["!", "-path", `./${name}`])}
${spareMounts}
${sparePlaces(ours)}
${lines(slices(ours).map(spareFiles))}
${body}
)`;
}

/** What `backup` of a file keeps. */
const backup = "*.[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9][0-9][0-9][0-9][0-9]Z*~";
/** Our own temporary files have those who look after them. */
const beingWritten = ".conn3x-????????????-????????-????????-*";

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
