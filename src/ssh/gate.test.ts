import { expect, it } from "vitest";
import { createGate } from "./gate.ts";

it("lets no more in than its limit, and the others in their order", async () => {
  const gate = createGate(2);
  const log: string[] = [];
  const visit = async (name: string): Promise<() => void> => {
    const leave = await gate.enter();
    log.push(name);
    return leave;
  };
  const [a, b, c, d] = ["a", "b", "c", "d"].map(visit);
  await Promise.all([a, b]);
  await new Promise((turn) => setImmediate(turn));
  expect(log).toEqual(["a", "b"]);
  const leaveA = await a!;
  leaveA();
  leaveA();
  await c;
  await new Promise((turn) => setImmediate(turn));
  expect(log).toEqual(["a", "b", "c"]);
  (await b!)();
  await d;
  expect(log).toEqual(["a", "b", "c", "d"]);
});
