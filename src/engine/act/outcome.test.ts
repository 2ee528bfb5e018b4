import { expect, test } from "vitest";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import { OutcomeCounter } from "./outcome.ts";

const instance = (address: string) =>
  ({ subject: { address, host: "h1", member: "a" } }) as unknown as PlannedInstance;

test("the old half of a replacement counts as deleted only where the new one failed", () => {
  const counter = new OutcomeCounter();
  for (const address of ["a", "b"]) counter.removedOld(instance(address));
  counter.replaced(instance("a"));
  counter.failed(instance("b"), "the disk is full");
  counter.count("deleted");
  counter.count("kept");
  expect(counter.outcome(new Map())).toMatchObject({
    replaced: 1,
    deleted: 2,
    kept: 1,
    failed: [{ address: "b", reason: "the disk is full" }],
  });
});
