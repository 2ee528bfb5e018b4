import { describe, expect, it } from "vitest";
import { characterCount, characters, firstCharacters } from "./characters.ts";

describe("characters", () => {
  const family = "👨‍👩‍👧‍👦";
  it.each([
    ["", []],
    ["ab", ["a", "b"]],
    ["a\r\nb", ["a", "\r\n", "b"]],
    ["e\u0301x", ["e\u0301", "x"]],
    [`${family}🇩🇪🇫🇷`, [family, "🇩🇪", "🇫🇷"]],
  ])("of %j", (text, expected) => {
    expect(characters(text)).toEqual(expected);
    expect(characterCount(text)).toBe(expected.length);
    expect(firstCharacters(text, 1)).toBe(expected[0] ?? "");
  });

  it("does not cut a character where its window ends", () => {
    for (let before = 1000; before < 1030; before++) {
      const text = `${"a".repeat(before)}${family}${"b".repeat(2000)}`;
      expect(characterCount(text)).toBe(before + 2001);
    }
    expect(characterCount(`a${"\u0301".repeat(5000)}`)).toBe(1);
  });

  it("takes little memory for a long text", () => {
    expect(characterCount("ab".repeat(1_500_000))).toBe(3_000_000);
    expect(characterCount("é".repeat(300_000))).toBe(300_000);
  });
});
