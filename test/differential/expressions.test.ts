/**
 * @module Our evaluator against the console of the engine on the PATH.
 *
 * With `RECORD=1` and tofu on the PATH its answers are written down for `recorded-answers.test.ts`.
 */
import { writeFileSync } from "node:fs";
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
