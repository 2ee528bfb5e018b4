import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quote } from "../../script/script.ts";
import { createConcealer } from "./concealer.ts";

const concealing = (...secrets: string[]) => {
  const concealer = createConcealer();
  for (const secret of secrets) concealer.add(secret);
  return concealer;
};

describe("conceal", () => {
  test.each([
    ["as it is", "x hunter2 y", "x (secret) y"],
    ["as base64", `x ${Buffer.from("hunter2").toString("base64")} y`, "x (secret)== y"],
    [
      "as base64 with more behind it",
      `x ${Buffer.from("hunter2!more").toString("base64")} y`,
      /^x \(secret\)\S+ y$/,
    ],
    ["nowhere", "hunter 2", "hunter 2"],
  ])("finds it %s", (_, text, expected) => {
    expect(concealing("hunter2").conceal(text)).toEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
  });

  test("finds each line of a key, and what begins with another secret", () => {
    const { conceal } = concealing("first line\nsecond line\n", "hunt", "hunter2");
    expect(conceal("a second line, hunter2, hunt")).toBe("a (secret), (secret), (secret)");
  });

  test("finds what JSON and URLs make of it", () => {
    const { conceal } = concealing('a"b\\c d');
    expect(conceal(JSON.stringify({ x: 'a"b\\c d' }))).toBe('{"x":"(secret)"}');
    expect(conceal(`?q=${encodeURIComponent('a"b\\c d')}`)).toBe("?q=(secret)");
  });

  test("finds it in shell words, once and twice quoted, whatever its characters", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 12 }), (secret) => {
        fc.pre(!secret.includes("\0") && !"'(secret)'".includes(secret) && !/^[')(]*$/.test(secret));
        const { conceal } = concealing(secret);
        for (const text of [secret, `a ${quote(secret)} b`, quote(quote(secret))]) {
          expect(conceal(text)).toContain("(secret)");
          expect(conceal(text)).not.toContain(secret);
        }
      }),
    );
  });
});

test("what is too short to be found is told of", () => {
  expect(concealing("hunter2", "").hasShort()).toBe(false);
  const { conceal, hasShort } = concealing("abc");
  expect(hasShort()).toBe(true);
  expect(conceal("abc")).toBe("abc");
});
