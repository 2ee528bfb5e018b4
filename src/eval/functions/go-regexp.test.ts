import { describe, expect, it } from "vitest";
import { expandReplacement, goRegExp } from "./go-regexp.ts";

function found(pattern: string, text: string): string | undefined {
  const regExp = goRegExp(pattern);
  if (!(regExp instanceof RegExp)) throw new Error(regExp.error);
  return regExp.exec(text)?.[0];
}

// Meanings by the syntax page of Go's regexp package; more are compared with a real engine in test/differential.
describe("goRegExp", () => {
  it.each([
    ["(?i)ABC", "xabc", "abc"],
    ["(?s)a.b", "a\nb", "a\nb"],
    ["a.b", "a\nb", undefined],
    ["(?m)^b$", "a\nb\nc", "b"],
    ["^b$", "a\nb", undefined],
    ["\\Aa", "ba", undefined],
    ["a\\z", "a\n", undefined],
    ["[[:alpha:]_]+", "12ab_3", "ab_"],
    ["[^[:digit:]]+", "12ab3", "ab"],
    ["\\pL+", "1éa", "éa"],
    ["\\p{Greek}+", "aαβ", "αβ"],
    ["\\PL", "a1", "1"],
    ["[\\p{L}-]+", "1a-é2", "a-é"],
    ["\\Qa.b[\\E+", "a.b[[", "a.b[["],
    ["\\x41\\x{42}", "AB", "AB"],
    ["a{2}", "aaa", "aa"],
    ["a{,2}", "a{,2}", "a{,2}"],
    ["x}", "x}", "x}"],
    ["[]a]+", "]a", "]a"],
    ["\\s", "\v", undefined],
    ["\\/", "/", "/"],
    ["\\_\\-\\!", "_-!", "_-!"],
    ["(?P<name>a)", "a", "a"],
  ])("%s finds in %j", (pattern, text, match) => {
    expect(found(pattern, text)).toBe(match);
  });

  it.each(["(", "[", "a**", "\\1", "(?=a)", "(?<!a)b", "[z-a]", "a(?i)b", "(?U)a", "[[:nope:]]"])(
    "refuses %s",
    (pattern) => {
      expect(goRegExp(pattern)).toHaveProperty("error");
    },
  );
});

describe("expandReplacement", () => {
  it.each([
    ["$1-$2", "a-b"],
    ["${1}x", "ax"],
    ["$1x", ""],
    ["$second", "b"],
    ["$$1", "$1"],
    ["$9", ""],
    ["$", "$"],
  ])("%s", (replacement, result) => {
    expect(expandReplacement(replacement, /(a)(?<second>b)/.exec("ab")!)).toBe(result);
  });
});
