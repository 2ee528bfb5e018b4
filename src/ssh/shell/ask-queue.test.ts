import { expect, test } from "vitest";
import { createAskQueue } from "./ask-queue.ts";
import type { FactRequest } from "./fact-shell.ts";

/** A queue to a shell that answers each script with its number in the order of arrival. */
function queue() {
  const flushes: string[][] = [];
  let arrived = 0;
  const submit = (requests: readonly FactRequest[]): void => {
    flushes.push(requests.map(({ script }) => script));
    for (const { resolve } of requests) {
      resolve({ status: 0, stdout: Buffer.from(String(++arrived)), stderr: Buffer.alloc(0) });
    }
  };
  return {
    ...createAskQueue(
      async () => ({ submit, close: () => undefined }),
      () => undefined,
    ),
    flushes,
  };
}

test("an equal question shares the answer of one that waits, unless the host is changed in between", async () => {
  const { askOnce, act, flushes } = queue();
  const answers = await Promise.all([
    askOnce("look"),
    askOnce("look"),
    act("do"),
    askOnce("look"),
    askOnce("look"),
  ]);
  expect(flushes).toEqual([["look", "do", "look"]]);
  expect(answers.map(({ stdout }) => stdout.toString())).toEqual(["1", "1", "2", "3", "3"]);
});

test("what changes the host is done as often as it is asked for", async () => {
  const { act, flushes } = queue();
  await Promise.all([act("do"), act("do")]);
  expect(flushes).toEqual([["do", "do"]]);
});

test("what is asked in the next turn travels along", async () => {
  const { act, askOnce, flushes } = queue();
  const next = new Promise((resolve) => setImmediate(resolve)).then(() => askOnce("look"));
  await Promise.all([act("do"), next]);
  expect(flushes).toEqual([["do", "look"]]);
});
