/**
 * @module The content of a directory for `recurse` and `purge`: one question for both.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import { lines, raw, script } from "../../script/script.ts";
import { at } from "../../values/path.ts";
import type { Plain, PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import { AnswerError } from "../kind.ts";
import type { CommandAnswer, Question } from "../operation.ts";
import { askNames, hasOtherNames, takeNames } from "../paths/owner-names.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import { parseNames } from "./listed-names.ts";
import { findAll, findExtra } from "./purge.ts";
import { findOthers, recursive } from "./recurse.ts";

/** Names relative to the directory; absent where that was not looked at. */
export interface Contents {
  /** What is not as `recurse` wants it. */
  readonly differing?: readonly string[];
  /** What `purge` is to remove, or what goes with the directory: see {@link going}. */
  readonly extra?: readonly string[];
}

/** As which a plan of its removal looks at a directory: all that is in it goes along, if that is to be. */
export const going = (prior: PlainObject): PlainObject => ({
  ...prior,
  recurse: null,
  purge: null,
  goes: prior.on_remove === "delete",
});

/** The names of owners, the names that `recurse` is about and a line, and those that `purge` is about. */
export function askContents(facts: PathFacts, object: PlainObject): Question | undefined {
  if (object.goes !== undefined) return object.goes === true ? askAll(object) : undefined;
  const isUnknown = object.managed instanceof Unknown || object.keep instanceof Unknown;
  const recurse = object.recurse === true && !isUnknown && isKnown(object);
  const purge = object.purge === true && !isUnknown;
  if (!recurse && !purge) {
    return hasOtherNames(object, facts)
      ? { ask: "script", script: lines([askNames(object, facts), raw("echo - && echo -")]) }
      : undefined;
  }
  return {
    ask: "slow",
    script: lines([
      askNames(object, facts),
      recurse ? script`echo differing && ${findOthers(object)} && echo || exit` : raw("echo -"),
      purge ? script`echo extra && ${findExtra(object)}` : raw("echo -"),
    ]),
  };
}

const askAll = (object: PlainObject): Question => ({
  ask: "slow",
  script: script`printf '\n\n-\nextra\n' && ${findAll(object)}`,
});

/** Whether it is known what is handed on: computed values are not. */
const isKnown = ({ hands_on: names, ...object }: PlainObject): boolean =>
  Array.isArray(names) && names.every((name) => !(object[String(name)] instanceof Unknown));

/** @throws AnswerError when the host answered something else */
export function parseContents(
  { status, stdout: answer, stderr }: CommandAnswer,
  found: PathFacts,
): PathFacts & Contents {
  const { facts, rest } = takeNames(answer, found);
  if (status !== 0) {
    throw new AnswerError(`could not be searched: ${stderr.toString("utf8").trim().split("\n", 1)[0]}`);
  }
  const recurse = section(rest, "differing", "\n");
  const purge = section(recurse.rest, "extra", "");
  return {
    ...facts,
    ...(recurse.names === undefined ? {} : { differing: parseNames(recurse.names) }),
    ...(purge.names === undefined ? {} : { extra: parseNames(purge.names) }),
  };
}

/**
 * A line with a word, and names that end with NUL; `-` where there are none.
 *
 * @param end what is after the last name; nothing where the answer ends with it
 */
function section(
  answer: Buffer,
  word: string,
  end: string,
): { readonly names?: Buffer; readonly rest: Buffer } {
  const line = answer.indexOf("\n") + 1;
  const said = answer.toString("utf8", 0, line);
  const after = answer.subarray(line);
  if (said === "-\n") return { rest: after };
  const length = end === "" ? after.length : lengthOfNames(after);
  if (said !== `${word}\n` || length < 0)
    throw new AnswerError("could not be searched: the answer about what is in it ends too early");
  return { names: after.subarray(0, length), rest: after.subarray(length + end.length) };
}

/** Names begin with `./`: what follows a NUL and is none of them is the end. */
function lengthOfNames(answer: Buffer): number {
  let position = 0;
  while (answer.subarray(position, position + 2).toString() === "./") {
    const end = answer.indexOf(0, position);
    if (end < 0) return -1;
    position = end + 1;
  }
  return answer[position] === 0x0a ? position : -1;
}

/** After an apply nothing is left of either, unless somebody else decides about that. */
export function planContents(diff: ResourceDiff): void {
  planNames(diff, "purge", "extra");
  planNames(diff, "recurse", "differing");
  if (diff.isTheirs("recurse")) return;
  const set = recursive.filter((name) => diff.config(name) !== null && !diff.isTheirs(name));
  const isKnown = [diff.get("recurse"), ...recursive.map((name) => diff.config(name))].every(
    (value) => !(value instanceof Unknown),
  );
  if (!isKnown) diff.setNewComputed("hands_on");
  else diff.setNew("hands_on", diff.get("recurse") === true ? set : null);
}

function planNames(diff: ResourceDiff, setting: string, names: string): void {
  if (diff.isTheirs(setting)) return;
  const wanted = diff.get(setting);
  if (wanted instanceof Unknown) diff.setNewComputed(names);
  else diff.setNew(names, wanted === true ? [] : null);
}

const namesShown = 20;

/** Whoever put a name there shall not write lines of ours with it, nor speak to the terminal. */
export const onOneLine = (name: string): string => (quoted(name) === `"${name}"` ? name : quoted(name));

/** Said also where the plan shows no change of `extra`: nothing is stored yet, or `keep` was edited. */
export const willBeRemoved = ({ path, extra: planned }: PlainObject, extra: readonly string[]) =>
  listed(planned, extra, "purge", "Files are removed from a directory", [
    `No step put these into ${String(path)}, and purge removes them:`,
    "Name in keep what is to stay.",
  ]);

/** Like {@link willBeRemoved}, but for owner, group and mode. */
export const willBeSet = (
  { path, hands_on: settings, differing: planned }: PlainObject,
  names: readonly string[],
) =>
  listed(planned, names, "recurse", "Owner or mode changes in a directory", [
    `With recurse, ${Array.isArray(settings) ? settings.join(" and ") : ""} of ${String(path)} is set for these as well:`,
    "Name in keep what is to stay as it is.",
  ]);

/** @param planned what somebody else decides about is planned to stay */
function listed(
  planned: Plain | undefined,
  names: readonly string[],
  setting: string,
  summary: string,
  [before, after]: readonly [string, string],
): readonly Diagnostic[] {
  if (names.length === 0 || !Array.isArray(planned) || planned.length > 0) return [];
  const shown = names.slice(0, namesShown).map((name) => `  ${onOneLine(name)}`);
  const more = names.length > namesShown ? [`  (and ${names.length - namesShown} more)`] : [];
  return [
    warningDiagnostic(summary, [before, ...shown, ...more, after].join("\n"), { attribute: at(setting) }),
  ];
}
