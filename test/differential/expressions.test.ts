/**
 * @module Our evaluator against a real engine's console: the one on the PATH, and answers that OpenTofu gave once.
 *
 * `RECORD=1 npx vitest run --project unit test/differential/expressions` with tofu on the PATH writes those answers
 * down again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { configuration, expressionsFor, ourAnswer } from "./answers.ts";
import { failure, findEngine } from "./console.ts";

const engine = findEngine();
if (engine === undefined) {
  console.warn(
    "Neither tofu nor terraform is on the PATH: expressions are compared with recorded answers only.",
  );
}
const mayFail = (expression: string): boolean => ourAnswer(expression) === failure;

describe.skipIf(engine === undefined)("a real engine", () => {
  const expressions = engine === undefined ? [] : expressionsFor(engine.name);
  const answers = engine?.evaluate(expressions, configuration, mayFail) ?? [];

  it.each(expressions.map((expression, i) => [expression, answers[i]!] as const))(
    "answers %s as we do",
    (expression, answer) => {
      expect(ourAnswer(expression)).toBe(answer);
    },
  );

  if (process.env.RECORD === "1" && engine?.name === "tofu") {
    const recorded = Object.fromEntries(expressions.map((expression, i) => [expression, answers[i]]));
    writeFileSync(new URL("recorded.json", import.meta.url), `${JSON.stringify(recorded, null, 2)}\n`);
  }
});

describe("OpenTofu 1.12", () => {
  const recorded = JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")) as Record<
    string,
    string
  >;

  it("has answered all expressions", () => {
    expect(expressionsFor("tofu").filter((expression) => !Object.hasOwn(recorded, expression))).toEqual([]);
  });

  it.each(Object.entries(recorded))("answered %s as we do", (expression, answer) => {
    expect(ourAnswer(expression)).toBe(answer);
  });
});
