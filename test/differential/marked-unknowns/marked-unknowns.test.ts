/**
 * @module Every function with secret and unknown arguments, against what OpenTofu 1.12's console answered. Where that forgets
 * that something unknown is secret, ours may remember it.
 *
 * With `RECORD=1` and tofu on the PATH its answers are written down.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import { functionTable } from "../../../src/eval/functions/table.ts";
import { configuration, ourAnswer } from "../answers.ts";
import { failure, findEngine } from "../console.ts";
import { type Answer, calls, expressionsOf, isSecret, readAnswer, secrecy, writeAnswer } from "./answers.ts";
import { literalCall } from "./variants.ts";

const recordedFile = new URL("recorded.json", import.meta.url);

/** What OpenTofu answers wrongly: with unknown elements it goes on in the first list alone, and finds nothing that is wanted. */
const wrongThere =
  /^formatlist\("%s-%s", tolist\(\[\(local|^matchkeys\(.*local\.bool \? (\["x"\] : \["x"\]|"x" : "x")\)?\)*\]?\)$/;
/** It gives up on a panic of its own, or has no regard for a secret null. */
const strangeThere = ['templatestring("a", sensitive({ a = "x" }))', 'merge({ a = "x" }, sensitive('];

const isOdd = (expression: string): boolean =>
  wrongThere.test(expression) || strangeThere.some((text) => expression.startsWith(text));

if (process.env.RECORD === "1") {
  const tofu = findEngine();
  if (tofu?.name !== "tofu") throw new Error("There is no tofu on the PATH.");
  const expressions = calls.flatMap(expressionsOf);
  const fails = tofu.evaluate(
    expressions.map((expression) => `can(${expression})`),
    configuration,
  );
  const failing = new Set(expressions.filter((_, i) => fails[i] === "false"));
  const shown = tofu.evaluate(expressions, configuration, (expression) => failing.has(expression));
  const secret = tofu.evaluate(expressions.map(secrecy), configuration, (text) =>
    [...failing].some((expression) => secrecy(expression) === text),
  );
  const answers = new Map(
    expressions.map((expression, i) => [
      expression,
      writeAnswer({ shown: shown[i]!, isSecret: isSecret(secret[i]!) }),
    ]),
  );
  const recorded = Object.fromEntries(
    calls.map((call) => [call, expressionsOf(call).map((expression) => answers.get(expression)!)]),
  );
  writeFileSync(recordedFile, `${JSON.stringify(recorded, null, 1)}\n`);
}

const recorded = JSON.parse(readFileSync(recordedFile, "utf8")) as Record<string, readonly string[]>;

const ours = (expression: string): Answer => ({
  shown: ourAnswer(expression),
  isSecret: isSecret(ourAnswer(secrecy(expression))),
});

test("every function is called", () => {
  const called = new Set(calls.map((call) => literalCall(call)!.name));
  const uncalled = [...functionTable({ baseDirectory: "/nonexistent" }).keys()].filter(
    (name) => !called.has(name),
  );
  // Without arguments, or not available.
  expect(uncalled).toEqual(["timestamp", "plantimestamp", "uuid", "bcrypt", "rsadecrypt"]);
});

it.each(calls)("%s is as secret and as known as in OpenTofu", (call) => {
  const expressions = expressionsOf(call);
  expect(recorded[call]?.length).toBe(expressions.length);
  const different = expressions.flatMap((expression, i) => {
    const found = ours(expression);
    const wanted = readAnswer(recorded[call]![i]!);
    const isStricter = found.isSecret && wanted.shown.includes("(known after apply)");
    const isSame = found.shown === wanted.shown && (found.isSecret === wanted.isSecret || isStricter);
    // Whatever is odd there: no secret is given away.
    if (isOdd(expression) ? found.isSecret || !wanted.isSecret : isSame) return [];
    return [{ expression, found, wanted }];
  });
  expect(different).toEqual([]);
  expect(expressions.filter((expression) => ourAnswer(expression) === failure)).toEqual([]);
});
