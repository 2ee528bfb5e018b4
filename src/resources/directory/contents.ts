/**
 * @module The content of a directory for `recurse` and `purge`: one question for both.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { ResourceDiff } from "../../revision/resource-diff.ts";
import { lines, raw, script } from "../../script/script.ts";
import { at } from "../../values/path.ts";
import type { PlainObject } from "../../values/plain.ts";
import { Unknown } from "../../values/value.ts";
import { AnswerError, type Look } from "../kind.ts";
import type { CommandAnswer, Question } from "../operation.ts";
import { askNames, hasOtherNames, takeNames } from "../paths/owner-names.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import { findExtra, parseExtra } from "./purge.ts";
import { findOther } from "./recurse.ts";

export interface Contents {
  /** Whether everything in it is as `recurse` wants it; absent where that was not looked at. */
  readonly isUniform?: boolean;
  /** What `purge` is to remove, by names relative to the directory; absent where that was not looked at. */
  readonly extra?: readonly string[];
}

/** The names of owners, a word about `recurse` on a line of its own, one about `purge`, and the names that this is about. */
export function askContents(facts: PathFacts, object: PlainObject, look: Look): Question | undefined {
  const recurse = object.recurse === true && look !== "foresee" && look !== "in_place";
  const isUnknown = object.managed instanceof Unknown || object.keep instanceof Unknown;
  const purge = object.purge === true && !isUnknown;
  if (!recurse && !purge) {
    return hasOtherNames(object, facts)
      ? { ask: "script", script: lines([askNames(object, facts), raw("echo -; echo -")]) }
      : undefined;
  }
  const uniform = script`if [ -n "$(${findOther(object)})" ]; then echo other; else echo uniform; fi`;
  return {
    ask: "slow",
    script: lines([
      askNames(object, facts),
      recurse ? uniform : raw("echo -"),
      purge ? lines([raw("echo extra"), findExtra(object)]) : raw("echo -"),
    ]),
  };
}

/** @throws AnswerError when the host answered something else */
export function parseContents(
  { status, stdout: answer, stderr }: CommandAnswer,
  found: PathFacts,
): PathFacts & Contents {
  const { facts, rest: stdout } = takeNames(answer, found);
  const first = stdout.indexOf("\n");
  const second = stdout.indexOf("\n", first + 1);
  const [uniform, extra] = [stdout.toString("utf8", 0, first), stdout.toString("utf8", first + 1, second)];
  if (second < 0 || !["other", "uniform", "-"].includes(uniform) || !["extra", "-"].includes(extra)) {
    throw new AnswerError("could not be searched: the answer about what is in it ends too early");
  }
  if (extra === "extra" && status !== 0) {
    throw new AnswerError(`could not be searched: ${stderr.toString("utf8").trim().split("\n", 1)[0]}`);
  }
  return {
    ...facts,
    ...(uniform === "-" ? {} : { isUniform: uniform === "uniform" }),
    ...(extra === "-" ? {} : { extra: parseExtra(stdout.subarray(second + 1)) }),
  };
}

/** After an apply nothing is left of it, unless somebody else decides about that. */
export function planExtra(diff: ResourceDiff): void {
  if (diff.isTheirs("purge")) return;
  const purge = diff.get("purge");
  if (purge instanceof Unknown) diff.setNewComputed("extra");
  else diff.setNew("extra", purge === true ? [] : null);
}

const namesShown = 20;

/** Whoever put a name there shall not write lines of ours with it, nor speak to the terminal. */
const onOneLine = (name: string): string => (quoted(name) === `"${name}"` ? name : quoted(name));

/** Said also where the plan shows no change of `extra`: nothing is stored yet, or `keep` was edited. */
export function willBeRemoved(
  { path, extra: planned }: PlainObject,
  extra: readonly string[],
): readonly Diagnostic[] {
  // What somebody else decides about is planned to stay.
  if (extra.length === 0 || !Array.isArray(planned) || planned.length > 0) return [];
  const shown = extra.slice(0, namesShown).map((name) => `  ${onOneLine(name)}`);
  const more = extra.length > namesShown ? [`  (and ${extra.length - namesShown} more)`] : [];
  return [
    warningDiagnostic(
      "Files are removed from a directory",
      [
        `No step put these into ${String(path)}, and purge removes them:`,
        ...shown,
        ...more,
        "Name in keep what is to stay.",
      ].join("\n"),
      { attribute: at("purge") },
    ),
  ];
}
