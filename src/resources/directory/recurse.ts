/**
 * @module `recurse`: owner, group and mode of everything in a directory. Links are set themselves and not followed, and what
 * is mounted there is left alone.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { formatMode, parseMode, setting } from "../paths/settings.ts";

/** What of the tree is not as wanted, and what makes it so: tests and actions of find(1). */
interface Rule {
  readonly differs: Script;
  readonly change: Script;
}

const execute = 0o111;
const permissions = 0o777;

function rules(want: PlainObject): readonly Rule[] {
  const [user, team, mode] = [setting(want, "owner"), setting(want, "group"), setting(want, "mode")];
  return [
    ...(user === undefined
      ? []
      : [{ differs: script`! -user ${user}`, change: script`chown -h -- ${user}` }]),
    ...(team === undefined
      ? []
      : [{ differs: script`! -group ${team}`, change: script`chgrp -h -- ${team}` }]),
    ...(mode === undefined ? [] : modeRules(parseMode(mode))),
  ];
}

/** A file gets no set-id and sticky bits, and may be executed only if somebody may already. */
function modeRules(mode: number): readonly Rule[] {
  const executable = mode & permissions;
  const plain = executable & ~execute;
  return [
    {
      differs: script`-type d ! -perm ${formatMode(mode)}`,
      change: script`chmod -- ${formatMode(mode).padStart(5, "0")}`,
    },
    {
      differs: script`-type f ! -perm ${formatMode(executable)} ! -perm ${formatMode(plain)}`,
      change: script`chmod -- ${symbolic(executable)}`,
    },
  ];
}

/** `u=rwX,g=rX,o=`; the leading part takes set-id bits away. */
const symbolic = (mode: number): string =>
  ["u", "g", "o"]
    .map((who, i) => {
      const bits = (mode >> (6 - 3 * i)) & 7;
      return `${who}=${bits & 4 ? "r" : ""}${bits & 2 ? "w" : ""}${bits & 1 ? "X" : ""}`;
    })
    .join(",");

/** With a slash, so that a link to a directory is gone into. */
const inside = ({ path }: PlainObject): string => `${String(path)}/`;

/** Prints one thing in the tree that is not as wanted; nothing where there is none. */
export const findOther = (want: PlainObject): Script => {
  const tests = rules(want).map(({ differs }) => `\\( ${differs.text} \\)`);
  return script`find ${inside(want)} -xdev \( ${raw(tests.join(" -o "))} \) -print 2>/dev/null | head -n 1`;
};

/** Sets what differs. Owners first: that takes set-id bits away. */
export const setAll = (want: PlainObject): Script =>
  lines([
    raw("set -e"),
    ...rules(want).map(
      ({ differs, change }) => script`find ${inside(want)} -xdev ${differs} -exec ${change} {} +`,
    ),
  ]);
