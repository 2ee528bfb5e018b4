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
import { noneMovedBelow, notMovedHere } from "./not-moved.ts";
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
    script`${notMovedHere}
c3x_not_moved || exit
${noneMovedBelow}
if find . -maxdepth 0 -name x -delete 2>/dev/null; then
  find . -mindepth 1 -xdev -depth "$@" ! -type d -delete || exit
  find . -mindepth 1 -xdev -depth "$@" -type d -empty -delete
else
  find . -mindepth 1 -xdev -depth "$@" ! -type d -print0 | ${removeEach("rm -f")} || exit
  find . -mindepth 1 -xdev -depth "$@" -type d -print0 | ${removeEach("rmdir")}
  :
fi`,
  );

/** A directory that has something in it by then stays. */
const removeEach = (how: "rm -f" | "rmdir"): Script =>
  toEach(raw(`c3x_act() { ${how} -- "$@"${how === "rmdir" ? " 2>/dev/null || :" : ""}; }`));
