/**
 * @module Where the paths of our own steps lead to in a directory, by whatever links, so that a purge and a
 * recursion spare them.
 *
 * Paths and not files: another circuit may be writing there just now, and what it writes is put in place by a rename. A
 * purge spares the directories above, too, so that none goes just before something is written into it.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { groupBy } from "../../values/group-by.ts";
import { plainPath } from "../../values/host-path.ts";

/** What the search is for. */
export type Sparing = "purge" | "recurse";

/**
 * For a script whose working directory is `$d`, without links, and which keeps find(1)'s tests in `$@`. Loops split at
 * newlines only, and take no pattern for names.
 *
 * @param paths absolute; one that ends with a slash has a recursion of its own, which is spared with all that is below it
 */
export const sparePaths = (paths: readonly string[], sparing: Sparing): Script =>
  paths.length === 0
    ? raw("")
    : lines([
        spared,
        ...[...groupBy(paths.map(split), ([, directory]) => directory)].map((group) =>
          spareIn(group, sparing),
        ),
        spareTargets(paths.map(plainPath), sparing),
        ...(sparing === "recurse" ? paths.filter((path) => path.endsWith("/")).map(spareBelow) : []),
      ]);

const spareBelow = (path: string): Script => script`if c3x_place ${plainPath(path)} ''; then
  m=\${m%/}
  [ "$m" = . ] || set -- "$@" ! -path "$m/*"
fi`;

/** `[whole, directory, name]` of an absolute path; the directory of what is at the top is empty. */
const split = (path: string): readonly [whole: string, directory: string, name: string] => {
  const [whole = "", directory = "", name = ""] = /^(.*)\/(.*)$/s.exec(plainPath(path)) ?? [];
  return [whole, directory, name];
};

/**
 * `c3x_place DIR NAME` says where something leads to, whose directories need not be there yet: with status 0 where that is
 * below `$d`, and `$m` is then a pattern of `find -path` for it.
 */
const spared = raw(String.raw`c3x_place() {
  q=$1
  r=$2
  until [ -d "$q/" ]; do
    r=${"$"}{q##*/}/$r
    q=${"$"}{q%/*}
  done
  q=$(cd -P -- "$q/" && pwd -P && echo .) || return
  q=${"$"}{q%??}
  case $q/$r in "$d"/*) ;; *) return 1 ;; esac
  m=$q/$r
  m=.${"$"}{m#"$d"}
  case $m in *[][*?\\]*) m=$(printf '%s.\n' "$m" | sed 's/[][*?\\]/\\&/g') && m=${"$"}{m%.} ;; esac
}`);

/** Adds tests for what is ours in one directory. */
const spareIn = (
  [directory, paths]: readonly [string, readonly ReturnType<typeof split>[]],
  sparing: Sparing,
): Script => script`if c3x_place ${directory} ''; then
  m=\${m%/}
  set -- "$@" ${raw(paths.map(([, , name]) => isAt(name)).join(" "))}
  ${sparing === "purge" ? spareAbove : raw("")}
fi`;

const isAt = (name: string): string => script`! -path "$m"/${literally(name)}`.text;

/** Spares `$m` and the directories between. */
const spareAbove = raw(`while [ "$m" != . ]; do
  set -- "$@" ! -path "$m"
  m=\${m%/*}
done`);

/** What is written through a link of its own. */
const spareTargets = (paths: readonly string[], sparing: Sparing): Script => script`for i in ${paths}; do
  [ -L "$i" ] && i=$(readlink -f "$i" && echo .) || continue
  i=\${i%??}
  c3x_place "\${i%/*}" "\${i##*/}" || continue
  ${sparing === "purge" ? spareAbove : raw('set -- "$@" ! -path "$m"')}
done`;

/** Escapes a name for a pattern of find(1)'s `-path`. */
const literally = (name: string): string => name.replace(/[[\]*?\\]/g, "\\$&");
