/**
 * @module Whether a command has to run: `creates`, `unless` and `only_if`.
 */

import { quote, raw } from "../../script/script.ts";
import type { PlainObject } from "../../values/plain.ts";
import { AnswerError, type Closer, type Facts, isOfPlan } from "../kind.ts";
import { askPaths, parsePaths } from "../paths/path-facts.ts";
import type { PathSubject } from "../paths/subject.ts";
import { invocation, writtenInvocation } from "./invocation.ts";

/** What the guards that are set say. */
export interface GuardFacts {
  /** Whether what `creates` names exists. */
  readonly created?: boolean;
  /** Exit status. */
  readonly unless?: number;
  /** Exit status. */
  readonly onlyIf?: number;
}

/** Whether it is done already; undefined when no guard says. */
export function isDone({ created, unless }: GuardFacts): boolean | undefined {
  if (created === undefined && unless === undefined) return undefined;
  return created === true || unless === 0;
}

/** Whether it can be run now. */
export const isPossible = ({ onlyIf }: GuardFacts): boolean => onlyIf === undefined || onlyIf === 0;

/** What `creates` names, of all commands at once. */
export const guardFacts: Facts<GuardFacts, string | null> = {
  subject: ({ creates }) => (typeof creates === "string" ? creates : null),
  ask(subjects) {
    const paths = pathsOf(subjects);
    return paths.length === 0 ? raw("") : askPaths(paths.map(itself), false);
  },
  parse(stdout, subjects) {
    const paths = pathsOf(subjects);
    const found = new Map(
      paths.length === 0
        ? []
        : parsePaths(stdout, paths.map(itself), false).map((one, i) => [paths[i]!, one]),
    );
    return subjects.map((path) => {
      const one = path === null ? undefined : found.get(path);
      if (one === undefined) return { state: "present", facts: {} };
      if (one.state === "unreadable") return one;
      return { state: "present", facts: { created: one.state === "present" } };
    });
  },
};

/** A link counts as well, wherever it leads to. */
const itself = (path: string): PathSubject => [path, false];

const pathsOf = (subjects: readonly (string | null)[]): readonly string[] =>
  subjects.filter((path) => path !== null);

/** `unless` and `only_if`, which run what the user wrote. */
export const guardCommands: Closer<GuardFacts> = {
  ask({ created }, object, look) {
    if (isOfPlan(look) || look === "in_place" || created === true) return undefined;
    const guards = (["unless", "only_if"] as const).flatMap((name) => {
      const text = object[name];
      return typeof text === "string" ? [guardLine(name, text)] : [];
    });
    if (guards.length === 0) return undefined;
    const timeout = typeof object.timeout === "number" ? { timeout: object.timeout } : {};
    const text = [...guards, `echo ${end}`].join("\n");
    return {
      ask: "command",
      script: invocation(object, text),
      written: writtenInvocation(object, text),
      ...timeout,
    };
  },
  parse({ stdout }, facts) {
    const reported = new Map(
      [...stdout.toString("utf8").matchAll(/^conn3x-(unless|only_if) (\d+)$/gm)].map(([, name, status]) => [
        name,
        Number(status),
      ]),
    );
    if (!stdout.toString("utf8").endsWith(`${end}\n`)) {
      throw new AnswerError("could not be looked at: unless or only_if did not come to an end");
    }
    const unless = reported.get("unless");
    const onlyIf = reported.get("only_if");
    return {
      ...facts,
      ...(unless === undefined ? {} : { unless }),
      ...(onlyIf === undefined ? {} : { onlyIf }),
    };
  },
};

/** Last line of the answer: something that kills the shell is no answer. */
const end = "conn3x-guards-told";

/** Each in a subshell, its output away: only its status counts. */
const guardLine = (name: "unless" | "only_if", text: string): string =>
  `( eval ${quote(` ${text}\n`)} ) </dev/null >/dev/null 2>&1; echo "conn3x-${name} $?"`;

/** A command whose guards say that it has to be run stands for nothing on the host. */
export function isInPlace(facts: GuardFacts, object: PlainObject): boolean {
  const done = isDone(facts);
  if (!isPossible(facts)) return true;
  return done === undefined ? object.ran !== false : done;
}
