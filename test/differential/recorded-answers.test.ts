/**
 * @module Our evaluator against what OpenTofu 1.12's console answered once, for where there is no engine.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expressionsFor, ourAnswer } from "./answers.ts";

describe("OpenTofu 1.12", () => {
  const recorded = JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")) as Record<
    string,
    string
  >;

  it("has answered all expressions", () => {
    const missing = expressionsFor("tofu").filter((expression) => !Object.hasOwn(recorded, expression));
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(recorded))("answered %s as we do", (expression, answer) => {
    expect(ourAnswer(expression)).toBe(answer);
  });
});
