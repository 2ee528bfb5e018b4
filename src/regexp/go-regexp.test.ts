import { describe, expect, it } from "vitest";
import { expandReplacement, type GoMatch, goRegExp, isGoRegExp } from "./go-regexp.ts";

function matches(pattern: string, text: string): readonly GoMatch[] {
  const regExp = goRegExp(pattern);
  if (!isGoRegExp(regExp)) throw new Error(regExp.problem);
  return [...regExp.matches(text)];
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
    ["x(?i:AB)c", "xabc", "xabc"],
    ["(?U)a+", "aaa", "a"],
    ["[[:alpha:]_]+", "12ab_3", "ab_"],
    ["[[:^digit:]]+", "12ab3", "ab"],
    ["\\pL+", "1éa", "éa"],
    ["\\p{Greek}+", "aαβ", "αβ"],
    ["\\PL", "a1", "1"],
    // However a class of Unicode's is written, as of Go 1.25.
    ["\\p{latin}+", "1ab", "ab"],
    ["\\P{^LATIN}+", "1ab", "ab"],
    ["\\p{Uppercase Letter}", "aB", "B"],
    ["[\\p{uppercase_letter}1]+", "aB1", "B1"],
    ["\\pl", "1a", "a"],
    ["\\p{lc}", "1a", "a"],
    ["\\p{Any}\\p{any}", "1a", "1a"],
    ["\\p{ascii}+", "éab", "ab"],
    ["[^\\p{ascii}]", "aé", "é"],
    ["\\P{ASCII}", "aé", "é"],
    ["\\p{Old_Italic}|x", "x", "x"],
    ["\\Q\\p{latin}\\E\\p{digit}", "\\p{latin}1", "\\p{latin}1"],
    ["\\\\p{latin}\\p{digit}", "\\p{latin}1", "\\p{latin}1"],
    ["[](?P<a>\\p{digit}]+(?P<a>b)(?P<a>c)", "](?P<a>1bc", "](?P<a>1bc"],
    ["\\Qa.b[\\E+", "a.b[[", "a.b[["],
    ["\\x41\\x{42}", "AB", "AB"],
    ["a{,2}", "a{,2}", "a{,2}"],
    ["[]a]+", "]a", "]a"],
    ["\\s", "\v", undefined],
    ["\\w", "é", undefined],
    [".", "🐈", "🐈"],
  ])("%s finds in %j", (pattern, text, match) => {
    expect(matches(pattern, text)[0]?.text).toBe(match);
  });

  it.each([
    ["(", "missing closing ) in ("],
    ["[", "missing closing ] in ["],
    ["a**", "invalid nested repetition operator in **"],
    ["[z-a]", "invalid character class range in z-a"],
    ["a{1001}", "invalid repeat count in {1001}"],
    ["\\p{Foo}", "invalid character class range in \\p{Foo}"],
    ["a\\", "trailing backslash at end of expression"],
    // The mistake, and not what only the library does not take.
    ["(?P<a>x)(?P<a>y)[", "missing closing ] in ["],
    ["(?P<a>x)(?P<a>y)**", "invalid nested repetition operator in **"],
    ["\\p{letter}(?=a)", "no look-around"],
    ["\\p{letter}[", "missing closing ] in ["],
  ])("refuses %s", (pattern, problem) => {
    expect(goRegExp(pattern)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it.each(["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1"])("tells what %s is not", (pattern) => {
    expect(goRegExp(pattern)).toEqual({ problem: expect.stringContaining("no look-around") });
  });

  it("takes time in proportion to the text", () => {
    const text = `${"a".repeat(100_000)}!`;
    const started = performance.now();
    expect(matches("^(a+)+$", text)).toEqual([]);
    expect(matches("(a|aa)*b", text)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("knows its groups", () => {
    expect(goRegExp("(a)(?P<n>b)?(?:c)")).toMatchObject({ groupNames: [undefined, "n"] });
    expect(matches("(a)(?P<n>b)?", "aab").map(({ groups }) => groups)).toEqual([
      ["a", undefined],
      ["a", "b"],
    ]);
  });

  it("counts no empty match right after another one, and splits no character", () => {
    expect(matches("a*", "baab").map(({ start, end }) => [start, end])).toEqual([
      [0, 0],
      [1, 3],
      [4, 4],
    ]);
    expect(matches("", "🐈").map(({ start }) => start)).toEqual([0, 2]);
  });
});

describe("expandReplacement", () => {
  it.each([
    ["$1-$2", "a-b"],
    ["${1}x", "ax"],
    ["$1x", ""],
    ["$0", "ab"],
    ["$second", "b"],
    ["$$1", "$1"],
    ["$9", ""],
    ["$", "$"],
    ["${", "${"],
    ["\\1", "\\1"],
  ])("%s", (replacement, result) => {
    expect(expandReplacement(replacement, matches("(a)(?P<second>b)", "ab")[0]!)).toBe(result);
  });
});
