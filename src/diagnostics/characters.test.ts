import { describe, expect, it } from "vitest";
import { charactersOf, countCharacters } from "./characters.ts";

// What `[for c in split("", x) : c]` does not tell, but `strrev` and `substr` of a real engine do.
describe("charactersOf", () => {
  it.each([
    ["", []],
    ["a\r\nb", ["a", "\r\n", "b"]],
    ["e\u0301x", ["e\u0301", "x"]],
    ["👨‍👩‍👧🇩🇪", ["👨‍👩‍👧", "🇩🇪"]],
    // KA, VIRAMA; SSA, VOWEL SIGN I
    ["\u0915\u094d\u0937\u093f", ["\u0915\u094d", "\u0937\u093f"]],
    // With a joiner between; three consonants.
    ["\u0915\u094d\u200d\u0937", ["\u0915\u094d\u200d", "\u0937"]],
    ["\u0938\u094d\u0924\u094d\u0930", ["\u0938\u094d", "\u0924\u094d", "\u0930"]],
    ["\u0995\u09cd\u09b7x", ["\u0995\u09cd", "\u09b7", "x"]],
    // Thai: a vowel that is a letter and stays with its consonant and tone mark.
    ["\u0e19\u0e49\u0e33", ["\u0e19\u0e49\u0e33"]],
    // Hangul jamo
    ["\u1112\u1161\u11ab", ["\u1112\u1161\u11ab"]],
  ])("%j", (text, expected) => {
    expect([...charactersOf(text)]).toEqual(expected);
    expect(countCharacters(text)).toBe(expected.length);
  });
});

describe("long runs of joined characters", () => {
  // By the rules of Unicode's Annex 29: each of them is one.
  it.each([
    ["flags", "\u{1f1e9}\u{1f1ea}"],
    ["families", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}"],
    ["skin tones", "\u{1f44d}\u{1f3fd}"],
    ["accents", "e\u0301"],
    ["one letter with thousands of marks", `x${"\u0301".repeat(3000)}`],
  ])("are counted in time: %s", (_, one) => {
    const start = performance.now();
    expect(countCharacters(one.repeat(one.length > 100 ? 30 : 3000))).toBe(one.length > 100 ? 30 : 3000);
    // 25 s for families, when the whole run was looked at for each of them.
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
