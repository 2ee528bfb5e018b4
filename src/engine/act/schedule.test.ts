import { expect, test } from "vitest";
import { runGroups } from "./schedule.ts";

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a group begins when the groups before it are wholly done", async () => {
  const log: string[] = [];
  await runGroups(
    [
      { name: "c", after: ["b"], tasks: ["c1"] },
      { name: "a", after: [], tasks: ["a1", "a2", "a3"] },
      { name: "b", after: ["a", "nothing"], tasks: ["b1", "b2"] },
      { name: "empty", after: ["a"], tasks: [] },
      { name: "d", after: ["empty"], tasks: ["d1"] },
    ],
    10,
    async (task) => {
      log.push(`+${task}`);
      await pause();
      log.push(`-${task}`);
    },
  );
  expect(log).toHaveLength(14);
  for (const [before, after] of [
    ["-a3", "+b1"],
    ["-a1", "+d1"],
    ["-b1", "+c1"],
    ["-b2", "+c1"],
  ] as const) {
    expect(log.indexOf(before)).toBeLessThan(log.indexOf(after));
  }
});

test("no more tasks run at once than allowed, and as many as allowed", async () => {
  let running = 0;
  let most = 0;
  await runGroups([{ name: "a", after: [], tasks: Array.from({ length: 50 }, (_, i) => i) }], 7, async () => {
    most = Math.max(most, ++running);
    await pause();
    running--;
  });
  expect(most).toBe(7);
});

test("nothing to do is done", async () => {
  await runGroups([], 1, pause);
  await runGroups([{ name: "a", after: [], tasks: [] }], 1, pause);
});

test("what only waits for empty groups runs once", async () => {
  const log: string[] = [];
  const groups = [
    { name: "a", after: [], tasks: [] },
    { name: "b", after: ["a"], tasks: ["b1"] },
    { name: "c", after: ["a", "b"], tasks: ["c1"] },
  ];
  await runGroups(groups, 10, async (task) => void log.push(task));
  expect(log).toEqual(["b1", "c1"]);
});

test("a long chain of empty groups is walked through", async () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => ({
    name: `${i}`,
    after: i === 0 ? [] : [`${i - 1}`],
    tasks: i === 0 || i === 19_999 ? [i] : [],
  }));
  const log: number[] = [];
  await runGroups(chain, 10, async (task) => void log.push(task));
  expect(log).toEqual([0, 19_999]);
});

test("what many empty groups let go begins once", async () => {
  const empty = Array.from({ length: 50 }, (_, i) => ({ name: `e${i}`, after: ["a"], tasks: [] }));
  const log: string[] = [];
  await runGroups(
    [
      { name: "a", after: [], tasks: ["a1"] },
      ...empty,
      { name: "b", after: empty.map(({ name }) => name), tasks: ["b1"] },
      { name: "c", after: ["e49", "e0"], tasks: ["c1"] },
    ],
    1,
    async (task) => void log.push(task),
  );
  expect(log).toHaveLength(3);
  expect(new Set(log)).toEqual(new Set(["a1", "b1", "c1"]));
});
