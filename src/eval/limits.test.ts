import { describe, expect, it } from "vitest";
import { evaluate } from "./evaluate.ts";
import { functionTable } from "./functions/table.ts";
import { scopeOf } from "./scope.ts";
import { parsed } from "./testing.ts";

const scope = scopeOf({}, functionTable({ baseDirectory: "/nonexistent" }));

/** What is said of an expression. */
const detail = (text: string): string | undefined =>
  evaluate(parsed(text), scope).diagnostics[0]?.detail.replace(/^Call to function "\w+" failed: /, "");

const aliases = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} {x: *a${i}, y: *a${i}}\\n`);

describe("what would fill the memory or never end", () => {
  it.each([
    ['format("%1000000000d", 1)', "width and precision must not exceed 1000000"],
    ['format("%.1000000000f", 1)', "width and precision must not exceed 1000000"],
    ["setproduct(range(1000), range(1000), range(1000))", "the product has more than 2000000 elements"],
    [
      '[for a in [1, 2]: [for b in concat([for c in range(3): split("", format("%999999d", 1))]...): b]]',
      "An expression may go through 2000000 items, all that is nested counted.",
    ],
    [`yamldecode("a0: &a0 {a: 1}\\n${aliases.join("")}")`, "document contains excessive aliasing."],
    ["sum([1 / 0, -1 / 0])", "the result is not a number."],
    ['join(format("%1000000d", 1), range(1000))', "the result would be too large."],
  ])("%s", (text, problem) => {
    expect(detail(text)).toContain(problem);
  });

  it("takes documents with ordinary aliases", () => {
    expect(detail(`yamldecode("a0: &a0 {a: 1}\\n${aliases.slice(0, 10).join("")}")`)).toBeUndefined();
  });

  it.each([
    ["trimspace", " ", "x"],
    ["chomp", "\\n", "x"],
  ])("%s takes time in proportion to its text", (name, space, letter) => {
    const started = performance.now();
    expect(detail(`${name}("${space.repeat(300_000)}${letter}")`)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("flattens as many lists as there are", () => {
    expect(detail("flatten([for a in range(500): [for b in range(500): [a, b]]])")).toBeUndefined();
  });
});
