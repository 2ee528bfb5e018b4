/**
 * @module `purge`: finds and removes everything in a directory that no step put there.
 *
 * Both work from inside the directory, with names relative to it, and follow no link, so that nobody can turn a name
 * elsewhere meanwhile. Spared is what steps put there, by whatever path they name it, what `keep` has, and what is
 * mounted there.
 */
import { raw, type Script, script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { enter } from "./enter.ts";
import { inside } from "./inside.ts";
import { toEach } from "./one-by-one.ts";

/** Prints what would go, each name after `./` and before a NUL: all but directories, and directories that are empty. */
export const findExtra = (want: PlainObject): Script =>
  inside(want, "purge", raw(String.raw`find . -mindepth 1 -xdev "$@" \( ! -type d -o -empty \) -print0`));

/** Prints all that is in it, in the same form. */
export const findAll = ({ path }: PlainObject): Script => script`(
${enter(String(path), false)}
find . -mindepth 1 -xdev -print0
)`;

/**
 * Files go first, then the directories that are empty without them. `-delete` goes by no name that leads through
 * directories; where there is none (busybox), rm and rmdir are called in the directory of each.
 */
export const removeExtra = (want: PlainObject): Script =>
  inside(
    want,
    "purge",
    script`${refuseMoved}
if find . -maxdepth 0 -name x -delete 2>/dev/null; then
  find . -mindepth 1 -xdev -depth "$@" ! -type d -delete || exit
  find . -mindepth 1 -xdev -depth "$@" -type d -empty -delete
else
  find . -mindepth 1 -xdev -depth "$@" ! -type d -print0 | ${removeEach("rm -f")} || exit
  find . -mindepth 1 -xdev -depth "$@" -type d -print0 | ${removeEach("rmdir")}
  :
fi`,
  );

/**
 * Whoever has a directory in the tree could move root's directories there, which they cannot empty: so nothing of the tree goes
 * while there is one with something in it. Looked for where others have a directory at all.
 */
const refuseMoved = script`if [ -n "$(find . -xdev -type d \( ! -user 0 ! -user "$c3x_me" -o -perm -020 -o -perm -002 \) -print | head -n 1)" ]; then
  find . -mindepth 1 -xdev "$@" -type d \( -user 0 -o -user "$c3x_me" \) ! -empty -print0 | ${toEach(
    raw(`c3x_act() {
  set -- "$(c3x_stat "$c3x_modes" .)" "$@"
  if c3x_is_trusted "\${1%% *}" && [ $((0x\${1#* } & 0x12)) -eq 0 ]; then return 0; fi
  shift
  for f do
    printf '%s is a directory of root or the acting user with something in it, where others can move it to. Nothing was removed: remove it by hand, or name it in keep.\n' "$c3x_here/\${f#./}" >&2
  done
  return 3
}`),
  )} || exit
fi`;

/** A directory that has something in it by then stays. */
const removeEach = (how: "rm -f" | "rmdir"): Script =>
  toEach(raw(`c3x_act() { ${how} -- "$@"${how === "rmdir" ? " 2>/dev/null || :" : ""}; }`));
