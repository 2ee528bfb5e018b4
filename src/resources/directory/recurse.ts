/**
 * @module `recurse`: owner, group and mode of everything in a directory. Links are set themselves and not followed, and what
 * is mounted there is left alone, as is what other steps manage.
 */
import { raw, type Script, script } from "../../script/script.ts";
import { sweepFunction, temporaryFamily } from "../../script/temporary-files.ts";
import type { PlainObject } from "../../values/plain.ts";
import { deedOf, formatMode, parseMode, setting } from "../paths/settings.ts";
import { beingWritten, inside } from "./inside.ts";
import { toEach, toEachHeld } from "./one-by-one.ts";

/** The settings that a recursion is about. */
export const recursive = ["owner", "group", "mode"] as const;

/** What is set, as far as the configuration sets it: other values are those of the directory alone. */
interface Wanted {
  readonly owner: string | undefined;
  readonly group: string | undefined;
  readonly mode: number | undefined;
}

function wantedOf(want: PlainObject): Wanted {
  const [owner, group, mode] = recursive.map((name) =>
    Array.isArray(want.hands_on) && want.hands_on.includes(name) ? setting(want, name) : undefined,
  );
  return { owner, group, mode: mode === undefined ? undefined : parseMode(mode) };
}

const execute = 0o111;
const permissions = 0o777;

/** A file gets no set-id and sticky bits, and may be executed only if somebody may already. */
const fileModes = (mode: number) => ({
  executable: mode & permissions,
  plain: mode & permissions & ~execute,
});

/** What of the tree is not as wanted: tests of find(1). */
function differences({ owner, group, mode }: Wanted): readonly Script[] {
  const owned = [
    ...(owner === undefined ? [] : [script`! -user ${owner}`]),
    ...(group === undefined ? [] : [script`! -group ${group}`]),
  ];
  if (mode === undefined) return owned;
  const { executable, plain } = fileModes(mode);
  return [
    ...owned,
    script`-type d ! -perm ${formatMode(mode)}`,
    script`-type f ! -perm ${formatMode(executable)} ! -perm ${formatMode(plain)}`,
  ];
}

const anyOf = (tests: readonly Script[]): Script =>
  raw(`\\( ${tests.map(({ text }) => `\\( ${text} \\)`).join(" -o ")} \\)`);

/**
 * Defines `c3x_act`, which makes an object all that is wanted at once: whoever gets it has it in the end, and no later change
 * is refused for that. The owner first: that takes set-id bits away, and capabilities, from what has another already.
 */
function change(wanted: Wanted): Script {
  const { owner, group, mode } = wanted;
  const own = script`${raw(owner === undefined ? "chgrp" : "chown")} -h -- ${[owner, group].filter((one) => one !== undefined).join(":")}`;
  const isOwned = owner !== undefined || group !== undefined;
  if (mode === undefined) return script`c3x_act() { ${own} "$@"; }`;
  const { executable } = fileModes(mode);
  const owners = differences({ ...wanted, mode: undefined });
  return script`c3x_dirs() { ${onlyIf("-d", script`chmod -- ${formatMode(mode).padStart(5, "0")} "$@"`)}
}
c3x_files() { ${onlyIf("-f", script`chmod -- ${symbolic(executable)} "$@"`)}
}
c3x_act() {
  ${isOwned ? script`find "$@" -prune ${anyOf(owners)} -exec ${own} {} + || return` : raw("")}
  c3x_dirs "$@" && c3x_files "$@"
}`;
}

/** There is no `chmod` that leaves a link's target alone. */
const onlyIf = (test: "-d" | "-f", change: Script): Script => script`for f do
    shift
    if [ ${raw(test)} "$f" ] && ! [ -L "$f" ]; then set -- "$@" "$f"; fi
  done
  [ $# -eq 0 ] || ${change}`;

/** `u=rwX,g=rX,o=`; the leading part takes set-id bits away. */
const symbolic = (mode: number): string =>
  ["u", "g", "o"]
    .map((who, i) => {
      const bits = (mode >> (6 - 3 * i)) & 7;
      return `${who}=${bits & 4 ? "r" : ""}${bits & 2 ? "w" : ""}${bits & 1 ? "X" : ""}`;
    })
    .join(",");

/** Prints what in the tree is not as wanted, each name after `./` and before a NUL. */
export const findOthers = (want: PlainObject): Script => {
  const tests = differences(wantedOf(want));
  return tests.length === 0
    ? raw(":")
    : inside(want, "recurse", script`find . -mindepth 1 -xdev "$@" ${anyOf(tests)} -print0`);
};

/** Takes away what a recursion left behind that was killed, anywhere in the tree. */
const sweepAll = (path: string): Script =>
  script`find . -xdev -type d -name ${beingWritten} -prune -print0 | ${toEach(script`${sweepFunction}
c3x_act() { c3x_chain "$PWD"; c3x_sweep ${temporaryFamily(path)}; }`)}`;

/** Sets what differs: what is in a directory before that itself, so that nobody has a directory whose content is not theirs yet. */
export const setAll = (want: PlainObject): Script => {
  const wanted = wantedOf(want);
  const { owner, group, mode } = wanted;
  const deed = deedOf(owner, group, mode === undefined ? undefined : formatMode(mode));
  const each = toEachHeld(String(want.path), change(wanted), deed);
  return inside(
    want,
    "recurse",
    script`${sweepAll(String(want.path))}
find . -mindepth 1 -xdev -depth "$@" ${anyOf(differences(wanted))} -print0 | ${each} || exit`,
  );
};
