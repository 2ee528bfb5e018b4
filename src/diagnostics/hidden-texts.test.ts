import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHiddenTexts } from "./hidden-texts.ts";

const mask = "*";
const hiding = (...texts: readonly string[]) => {
  const hidden = createHiddenTexts(mask);
  for (const text of texts) hidden.add(text);
  return hidden;
};

describe("texts are left out", () => {
  test.each([
    ["one", ["hunter2"], "a hunter2, hunter2.", "a *, *."],
    ["the longer of two that begin alike", ["hunt", "hunter2"], "hunter2 hunters", "* *ers"],
    ["both of two that overlap", ["abcdef", "defghi"], "-abcdefghi-", "-*-"],
    ["one in another", ["abcdefgh", "cdef"], "abcdefgh cdef abcdefg", "* * ab*g"],
    ["side by side", ["hunter2"], "hunter2hunter2", "**"],
    ["nothing short", ["abc"], "abc", "abc"],
    ["what means something in patterns", [".*+?()[]", "\\d{2}"], "x.*+?()[] \\d{2} 42", "x* * 42"],
    ["lines and characters beyond 16 bits", ["a\nb🔑c"], "x a\nb🔑c y", "x * y"],
  ])("%s", (_, texts, text, expected) => {
    expect(hiding(...texts).hide(text)).toBe(expected);
  });

  // The oracle marks every character that belongs to an occurrence, found one after another.
  test("whatever they are, and nothing else", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(word, { maxLength: 6 }), (texts, parts) => {
        const text = [...texts.slice(0, 3), ...parts].join("");
        const left = new Set<number>();
        for (const one of texts.filter(({ length }) => length >= 4))
          for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1))
            for (let i = 0; i < one.length; i++) left.add(at + i);
        const shown = [...text].filter((_, i) => !left.has(i)).join("");
        expect(
          hiding(...texts)
            .hide(text)
            .replaceAll(mask, ""),
        ).toBe(shown);
      }),
      { numRuns: 2000 },
    );
  });
});

test("short ones where they are wanted", () => {
  const hidden = createHiddenTexts(mask, 1);
  for (const text of ["a", "ab", "abcd"]) hidden.add(text);
  expect(hidden.hide("a abc abcd b")).toBe("* *c * b");
});

describe("at the end of a text that is cut", () => {
  const secret = "a very long secret, of which a cut leaves the beginning";
  test.each([1, 4, 20, secret.length - 1, secret.length])("%i characters of a text are left out", (some) => {
    expect(hiding(secret, "other").hide(`before ${secret.slice(0, some)}`, true)).toBe("before *");
  });

  test("nothing is left out where nothing begins", () => {
    expect(hiding(secret, "other").hide("before it", true)).toBe("before it");
    expect(hiding("other").hide("xx other", true)).toBe("xx *");
  });

  test("wherever a text is cut, no part of a secret is shown", () => {
    const text = `xx ${secret} yy ${secret}`;
    for (let end = 0; end <= text.length; end++) {
      const shown = hiding(secret).hide(text.slice(0, end), true);
      expect(shown.replaceAll(mask, "")).toMatch(/^(?:x|xx|xx |xx {2}y?y? ?)?$/);
    }
  });
});

test.each([
  ["one of 4 MiB", [`start ${"x".repeat(4 * 2 ** 20)}`]],
  ["50,000 that begin alike", Array.from({ length: 50_000 }, (_, i) => `the same beginning ${i} the end`)],
  ["50,000 lines", Array.from({ length: 50_000 }, (_, i) => `${i * 7919}`.padStart(9, "0"))],
])("%s are found in good time", (_, texts) => {
  const began = performance.now();
  const hidden = hiding(...texts);
  const wanted = texts.slice(-100);
  const text = `${"nothing secret, the same beginning ".repeat(2000)}${wanted.join(" - ")} end`;
  const shown = hidden.hide(text, true);
  for (const one of wanted) expect(shown.includes(one)).toBe(false);
  expect(shown.endsWith("* end")).toBe(true);
  expect(performance.now() - began).toBeLessThan(5_000);
});
