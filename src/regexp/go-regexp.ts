/**
 * @module Regular expressions in Go's syntax (RE2), matched in linear time for every pattern: a circuit means the
 * same in every engine, and no pattern can make a plan hang. The expression language and the step kinds share them.
 */
import type { RE2JS, RE2JSSyntaxException } from "re2js";
import { preparedPattern } from "./go-pattern.ts";

export interface GoRegExp {
  /** Whether it matches anywhere in the text. */
  readonly test: (text: string) => boolean;
  /** The names of the groups in order; undefined for a group without a name. */
  readonly groupNames: readonly (string | undefined)[];
  /** All matches from left to right, without overlaps. As in Go, an empty one right after another match does not count. */
  readonly matches: (text: string) => Iterable<GoMatch>;
}

export interface GoMatch {
  /** Start in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The matched text. */
  readonly text: string;
  /** The groups' text by position; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[];
  /** The positions of the groups of each name, in order. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

/** What the first group of a name that took part matched; undefined when none did. */
export const groupNamed = ({ groups, positions }: GoMatch, name: string): string | undefined =>
  positions
    .get(name)
    ?.map((position) => groups[position])
    .find((group) => group !== undefined);

/** Go's error for an invalid pattern, without a full stop. */
export interface PatternProblem {
  readonly problem: string;
}

export const isGoRegExp = (compiled: GoRegExp | PatternProblem): compiled is GoRegExp =>
  "matches" in compiled;

/** Compiled patterns: circuits have few, and use them for every host. */
const compiled = new Map<string, GoRegExp | PatternProblem>();
const mostCompiled = 200;

/** @returns a problem for a pattern that Go would refuse */
export function goRegExp(pattern: string): GoRegExp | PatternProblem {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= mostCompiled) compiled.clear();
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): GoRegExp | PatternProblem {
  // Not imported, so that a plan without regular expressions does not load the library.
  const library: typeof import("re2js") = require("re2js");
  try {
    return goRegExpOf(library.RE2JS.compile(pattern), new Map());
  } catch (unprepared) {
    let error = unprepared;
    const prepared = preparedPattern(pattern);
    if (prepared.pattern !== pattern) {
      try {
        return goRegExpOf(library.RE2JS.compile(prepared.pattern), prepared.names);
      } catch (other) {
        // The first error was about the original pattern, which is Go's.
        error = other;
      }
    }
    if (error instanceof library.RE2JSSyntaxException) return invalid(error);
    if (error instanceof library.RE2JSException) return { problem: error.message };
    throw error;
  }
}

/** @param names original names of renamed groups */
function goRegExpOf(regExp: RE2JS, names: ReadonlyMap<string, string>): GoRegExp {
  const groupNames: (string | undefined)[] = new Array(regExp.groupCount()).fill(undefined);
  for (const [name, group] of Object.entries(regExp.namedGroups()))
    groupNames[group - 1] = names.get(name) ?? name;
  const positions = new Map<string, number[]>();
  for (const [position, name] of groupNames.entries())
    if (name !== undefined) positions.set(name, [...(positions.get(name) ?? []), position]);
  return {
    groupNames,
    test: (text) => regExp.matcher(text).find(),
    *matches(text) {
      const matcher = regExp.matcher(text);
      for (let previousEnd = -1; matcher.find(); ) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (start === end && end === previousEnd) continue;
        previousEnd = end;
        const groups = groupNames.map((_, position) => matcher.group(position + 1) ?? undefined);
        yield { start, end, text: text.slice(start, end), groups, positions };
      }
    },
  };
}

function invalid({ error, input }: RE2JSSyntaxException): PatternProblem {
  const part = input === null || input === "" ? "" : ` in ${input}`;
  const missing = /^(?:\(\?(?:[=!]|<[=!])|\\[1-9])/.test(input ?? "");
  const hint = missing
    ? "; regular expressions are those of RE2, which have no look-around and no back references"
    : "";
  return { problem: `${error}${part}${hint}` };
}

/**
 * Expands Go's replacement syntax for a match: `$1`, `${1}`, `$name`, `$$`. A name is as long as possible: `$1x`
 * is the group "1x", and empty when there is none.
 */
export function expandReplacement(replacement: string, match: GoMatch): string {
  return replacement.replace(
    /\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu,
    (_, dollar, bare, braced) => {
      if (dollar !== undefined) return "$";
      const name = String(bare ?? braced);
      if (/^\d+$/.test(name)) return name === "0" ? match.text : (match.groups[Number(name) - 1] ?? "");
      return groupNamed(match, name) ?? "";
    },
  );
}
