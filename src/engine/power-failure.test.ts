/**
 * Whenever the power fails during an apply, the next one runs the handlers of what was changed before (C9, C10).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { lockPath } from "./state/lock.ts";
import { testEngine } from "./testing/engine.ts";
import type { FakeHosts } from "./testing/fake-provider.ts";
import { circuit, hostsWithoutHandler } from "./testing/handled-circuit.ts";
import { leftAfterPowerFailure, losses } from "./testing/power-failure.ts";

vi.mock("node:fs", async (original) => {
  const { watchFiles } = await import("./testing/power-failure.ts");
  return watchFiles(await original());
});

const scenario = fc.record({
  hosts: fc.integer({ min: 1, max: 3 }),
  steps: fc.integer({ min: 1, max: 3 }),
  parallelism: fc.integer({ min: 1, max: 4 }),
});

test("when the power fails no handler is lost", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.nat(12), fc.constantFrom(...losses), async (of, survives, loss) => {
      const engine = testEngine();
      try {
        await engine.apply(circuit(of, "one"));
        const run = await engine.start(circuit(of, "two"), { parallelism: of.parallelism });
        engine.hosts.log.length = 0;
        const folder = dirname(engine.statePath);
        const left = await atCall(survives, engine.hosts, run, () => leftAfterPowerFailure(folder, loss));
        const before = [...engine.hosts.log];
        engine.hosts.beforeApply = () => undefined;
        const statePath = join(folder, "after", basename(engine.statePath));
        mkdirSync(dirname(statePath));
        for (const [name, content] of left)
          if (name !== basename(lockPath(statePath))) writeFileSync(join(dirname(statePath), name), content);
        expect((await engine.apply(circuit(of, "two"), { statePath })).failed).toEqual([]);
        expect(hostsWithoutHandler([...before, ...engine.hosts.log], of)).toEqual([]);
      } finally {
        engine.remove();
      }
    }),
    { numRuns: 60 },
  );
}, 240_000);

/**
 * Applies, and looks when so many calls have been made on hosts: none returns from then on. At the latest in the end.
 *
 * @returns what was seen then, as soon as nothing moves any more
 */
async function atCall<T>(
  survives: number,
  hosts: FakeHosts,
  run: { apply(): Promise<unknown> },
  look: () => T,
): Promise<T> {
  let calls = 0;
  const seen = await new Promise<T>((resolve) => {
    hosts.beforeApply = () => {
      if (calls++ < survives) return undefined;
      resolve(look());
      return new Promise(() => undefined);
    };
    void run.apply().then(() => resolve(look()));
  });
  await delay(10);
  return seen;
}
