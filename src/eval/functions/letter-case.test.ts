import { describe, expect, it } from "vitest";
import { lower, title, upper } from "./letter-case.ts";

// What `tofu console` 1.12.6 answers.
describe("upper", () => {
  it.each([
    ["\u01c6 \u01c5", "\u01c4 \u01c4"],
    ["\u1fb3 \u1f80 \u1f97 \u1ff3", "\u1fbc \u1f88 \u1f9f \u1ffc"],
    ["\u1fb4 \u1f88 ß ŉ ﬁ", "\u1fb4 \u1f88 ß ŉ ﬁ"],
    ["\u10d0", "\u1c90"],
    ["ı ς ÿ", "I Σ Ÿ"],
    // They have capitals since Unicode 16 and 17.
    ["\u019b \u1c8a \u{10d70} \u{16ebb}", "\u019b \u1c8a \u{10d70} \u{16ebb}"],
  ])("%s", (value, expected) => expect(upper(value)).toBe(expected));
});

describe("lower", () => {
  it.each([
    ["ΑΣ İ ẞ", "ασ i ß"],
    ["\u01c5 \u1fbc", "\u01c6 \u1fb3"],
    ["\ua7cb \ua7dc", "\ua7cb \ua7dc"],
  ])("%s", (value, expected) => expect(lower(value)).toBe(expected));
});

describe("title", () => {
  it.each([
    ["\u01c6x \u01c4x \u01f3", "\u01c5x \u01c5x \u01f2"],
    ["D L N dx", "D L N Dx"],
    ["\u10d0 \u1fb3", "\u10d0 \u1fbc"],
    ["ⓐ ⅰ aⅰ", "Ⓐ Ⅰ Aⅰ"],
    ["a-b a_b a'b 1a éa,élan", "A-B A_b A'B 1a Éa,Élan"],
    ["a\u2003b\u0085c\u00a0d\u00b7e", "A\u2003B\u0085C\u00a0D\u00b7e"],
    ["\u{10428}b", "\u{10400}b"],
    ["", ""],
  ])("%j", (value, expected) => expect(title(value)).toBe(expected));
});
