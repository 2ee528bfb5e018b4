import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

const later = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

test("equal keys wait for each other, others do not, and a failure holds nothing up", async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name}+`);
    await later();
    seen.push(`${name}-`);
    if (name === "a1") throw new Error("a1 failed");
    return name;
  };
  const results = await Promise.allSettled([
    turns.take("a", work("a1")),
    turns.take("a", work("a2")),
    turns.take("b", work("b1")),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(seen.indexOf("a2+")).toBeGreaterThan(seen.indexOf("a1-"));
  expect(seen.indexOf("b1+")).toBeLessThan(seen.indexOf("a1-"));
});
