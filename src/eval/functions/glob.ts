/**
 * @module File names by patterns: `*`, `?`, `[…]`, `{a,b}`, and `**` for any number of directories.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type GoRegExp, goRegExp, isGoRegExp, type PatternProblem } from "../../regexp/go-regexp.ts";
import { type FunctionError, functionError } from "../function-definition.ts";

/** The regular files below `directory` whose relative path, with `/`, matches. A directory that is not there has none. */
export function matchingFiles(directory: string, pattern: string): readonly string[] | FunctionError {
  const matcher = globRegExp(pattern.replace(/^\.\//, ""));
  if (!isGoRegExp(matcher)) return syntaxError;
  const found: string[] = [];
  const visit = (relative: string): void => {
    for (const name of names(join(directory, relative))) {
      const path = relative === "" ? name : `${relative}/${name}`;
      const status = statSync(join(directory, path), { throwIfNoEntry: false });
      if (status?.isDirectory()) visit(path);
      else if (status?.isFile() && matcher.test(path)) found.push(path);
    }
  };
  visit("");
  return found;
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

const brokenPattern: PatternProblem = { problem: "syntax error in pattern" };
const syntaxError = functionError(`failed to glob pattern: ${brokenPattern.problem}`);

function globRegExp(pattern: string): GoRegExp | PatternProblem {
  let source = "";
  let braces = 0;
  for (let at = 0; at < pattern.length; ) {
    const token = /^(?:\*\*\/|\*\*|\*|\?|\[(\^?)((?:\\.|[^\]])+)\]|\\([\s\S])|[\s\S])/u.exec(
      pattern.slice(at),
    )!;
    const [found, negated, set, escaped] = token;
    at += found.length;
    if (found === "**/") source += "(?:[^/]+/)*";
    else if (found === "**") source += ".*";
    else if (found === "*") source += "[^/]*";
    else if (found === "?") source += "[^/]";
    else if (set !== undefined) source += `[${negated}${set.replace(/[[\]&~^]/g, "\\$&")}]`;
    else if (escaped !== undefined) source += literal(escaped);
    else if (found === "[") return brokenPattern;
    else if (found === "{") {
      braces++;
      source += "(?:";
    } else if (found === "}" && braces > 0) {
      braces--;
      source += ")";
    } else source += found === "," && braces > 0 ? "|" : literal(found);
  }
  if (braces > 0) return brokenPattern;
  return goRegExp(`(?s)^(?:${source})$`);
}

const literal = (character: string): string => character.replace(/[\^$\\.*+?()[\]{}|]/, "\\$&");
