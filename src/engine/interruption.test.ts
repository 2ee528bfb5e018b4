/**
 * Whatever stops an apply between a step's change and its handler, the next one runs the handler (C9, C10); a failure
 * stops its own host only; and no step begins before the one before it is done everywhere.
 */
import { rmSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lockPath } from "./state/lock.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";
import {
  circuit,
  entries,
  hostNames,
  hostsWithoutHandler,
  type Scenario,
} from "./testing/handled-circuit.ts";

const scenario: fc.Arbitrary<Scenario> = fc.record({
  hosts: fc.integer({ min: 1, max: 4 }),
  steps: fc.integer({ min: 1, max: 4 }),
  parallelism: fc.integer({ min: 1, max: 6 }),
});

async function withEngine(work: (engine: TestEngine) => Promise<void>): Promise<void> {
  const engine = testEngine();
  try {
    await work(engine);
  } finally {
    engine.remove();
  }
}

async function expectNothingLeft(engine: TestEngine, text: string): Promise<void> {
  expect(new Set(Object.values(actionsOf(await engine.plan(text))))).toEqual(new Set(["none"]));
}

test("a step begins when the one before it is done on every host", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, (of) =>
      withEngine(async (engine) => {
        await engine.apply(circuit(of, "one"), { parallelism: of.parallelism });
        const places = engine.hosts.log.map((line) =>
          line.startsWith("run") ? of.steps : Number(/\/s(\d)$/.exec(line)![1]),
        );
        expect(places).toEqual([...places].sort());
        expect(places).toHaveLength(of.hosts * (of.steps + 1));
      }),
    ),
    { numRuns: 20 },
  );
});

test("a failure stops the later steps and the handler of its host, and of no other", async () => {
  const failing = fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.constantFrom("wholly", "partly")), {
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(scenario, failing, (of, failures) =>
      withEngine(async (engine) => {
        const text = circuit(of, "one");
        for (const [host, step, how] of failures) engine.hosts.failing.set(`h${host}:/s${step}`, how);
        await engine.apply(text, { parallelism: of.parallelism });
        for (const host of hostNames(of)) {
          const first = Array.from({ length: of.steps }, (_, i) => i).find((i) =>
            engine.hosts.failing.has(`${host}:/s${i}`),
          );
          const partly = first !== undefined && engine.hosts.failing.get(`${host}:/s${first}`) === "partly";
          const written = first === undefined ? of.steps : first + (partly ? 1 : 0);
          const expected = Array.from({ length: written }, (_, i) => `write ${host}:/s${i}`);
          if (first === undefined) expected.push(`run ${host}:run`);
          expect(entries(engine.hosts.log, host)).toEqual(expected);
        }
        const before = [...engine.hosts.log];
        engine.hosts.failing.clear();
        expect((await engine.apply(text)).failed).toEqual([]);
        expect(hostsWithoutHandler([...before, ...engine.hosts.log], of)).toEqual([]);
        await expectNothingLeft(engine, text);
      }),
    ),
    { numRuns: 40 },
  );
});

test("a process killed at any moment loses no handler", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.nat(20), fc.boolean(), (of, survives, afresh) =>
      withEngine(async (engine) => {
        if (!afresh) await engine.apply(circuit(of, "one"));
        const text = circuit(of, "two");
        const run = await engine.start(text, { parallelism: of.parallelism });
        engine.hosts.log.length = 0;
        let calls = 0;
        let stuck = 0;
        engine.hosts.beforeApply = () => {
          if (calls++ < survives) return undefined;
          stuck++;
          return new Promise(() => undefined);
        };
        let ended = false;
        void run.apply().then(() => {
          ended = true;
        });
        // Until it stands still: everything it still does waits for a call that does not come back.
        for (let quiet = 0; quiet < 20 && !ended; quiet++) {
          const before = calls;
          await new Promise((resolve) => setTimeout(resolve, 1));
          if (calls !== before || stuck === 0) quiet = 0;
        }
        rmSync(lockPath(engine.statePath), { force: true });
        engine.hosts.beforeApply = () => undefined;
        const before = [...engine.hosts.log];
        expect((await engine.apply(text)).failed).toEqual([]);
        expect(hostsWithoutHandler([...before, ...engine.hosts.log], of)).toEqual([]);
        await expectNothingLeft(engine, text);
      }),
    ),
    { numRuns: 25 },
  );
}, 60_000);
