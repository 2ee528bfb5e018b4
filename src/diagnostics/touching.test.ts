import { describe, expect, it } from "vitest";
import { SourceFile, type SourceRange } from "./source.ts";
import { touching } from "./touching.ts";

const [one, other] = [new SourceFile("one", "x".repeat(100)), new SourceFile("other", "")];
const at = (start: number, end: number, file = one): SourceRange => ({ file, start, end });

describe("touching", () => {
  // Unsorted, one inside another, two that overlap.
  const touches = touching([at(50, 60), at(10, 40), at(20, 30), at(38, 45), at(80, 80)]);

  it.each([
    [0, 9, false],
    [0, 10, true],
    [32, 33, true],
    [44, 46, true],
    [45, 49, true],
    [46, 49, false],
    [46, 70, true],
    [61, 79, false],
    [79, 81, true],
    [80, 80, true],
    [81, 90, false],
  ])("%i–%i: %s", (start, end, expected) => {
    expect(touches(at(start, end))).toBe(expected);
  });

  it("is about the same file", () => {
    expect(touches(at(20, 30, other))).toBe(false);
    expect(touching([])(at(0, 1))).toBe(false);
  });
});
