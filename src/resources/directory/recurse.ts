/**
 * @module `recurse`: owner, group and mode of everything in a directory. Links are set themselves and not followed, and what
 * is mounted there is left alone, as is what other steps manage.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { formatMode, parseMode, setting } from "../paths/settings.ts";
import { inside } from "./inside.ts";
import { toEach } from "./one-by-one.ts";

/** The settings that a recursion is about. */
export const recursive = ["owner", "group", "mode"] as const;

/** What of the tree is not as wanted, and what makes it so: tests of find(1), and shell text for names in `$@`. */
interface Rule {
  readonly differs: Script;
  readonly change: Script;
}

const execute = 0o111;
const permissions = 0o777;

/** Owners first: that takes set-id bits away. */
function rules(want: PlainObject): readonly Rule[] {
  const [user, team, mode] = recursive.map((name) => handedOn(want, name));
  return [
    ...(user === undefined
      ? []
      : [{ differs: script`! -user ${user}`, change: script`chown -h -- ${user} "$@"` }]),
    ...(team === undefined
      ? []
      : [{ differs: script`! -group ${team}`, change: script`chgrp -h -- ${team} "$@"` }]),
    ...(mode === undefined ? [] : modeRules(parseMode(mode))),
  ];
}

/** What the configuration sets: other values are those of the directory alone. */
const handedOn = (want: PlainObject, name: (typeof recursive)[number]): string | undefined =>
  Array.isArray(want.hands_on) && want.hands_on.includes(name) ? setting(want, name) : undefined;

/** A file gets no set-id and sticky bits, and may be executed only if somebody may already. */
function modeRules(mode: number): readonly Rule[] {
  const executable = mode & permissions;
  const plain = executable & ~execute;
  return [
    {
      differs: script`-type d ! -perm ${formatMode(mode)}`,
      change: onlyIf("-d", script`chmod -- ${formatMode(mode).padStart(5, "0")} "$@"`),
    },
    {
      differs: script`-type f ! -perm ${formatMode(executable)} ! -perm ${formatMode(plain)}`,
      change: onlyIf("-f", script`chmod -- ${symbolic(executable)} "$@"`),
    },
  ];
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
  const tests = rules(want).map(({ differs }) => `\\( ${differs.text} \\)`);
  return tests.length === 0
    ? raw(":")
    : inside(want, "recurse", script`find . -mindepth 1 -xdev "$@" \( ${raw(tests.join(" -o "))} \) -print0`);
};

/** Sets what differs. */
export const setAll = (want: PlainObject): Script =>
  inside(
    want,
    "recurse",
    lines(
      rules(want).map(
        ({ differs, change }) =>
          script`find . -mindepth 1 -xdev "$@" ${differs} -print0 | ${toEach(
            String(want.path),
            script`c3x_act() {
  ${change}
}`,
            "held",
          )} || exit`,
      ),
    ),
  );
