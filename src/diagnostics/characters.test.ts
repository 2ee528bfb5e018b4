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
