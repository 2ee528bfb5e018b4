import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Access } from "../evaluate/resources/resource-values.ts";
import { Isolation } from "./isolation.ts";

/** `circuit/member@host`, or a lone name for a resource outside circuits. */
function instance(text: string, accesses: readonly Access[] = []): PlannedInstance {
  const [, circuit, member, host] = /^(\w+)\/(\w+)@(\w+)$/.exec(text) ?? [];
  const resource = circuit === undefined ? text : `${circuit}__${member}`;
  const subject = { address: text, circuit, member, host, role: undefined };
  return { subject, resource, key: host, accesses } as unknown as PlannedInstance;
}

const all = ["web/a@h1", "web/a@h2", "web/b@h1", "web/b@h2", "db/a@d1", "db/b@d1", "db/b@h1"].map((text) =>
  instance(text),
);

describe("after a failure of web/a on h1", () => {
  const isolation = new Isolation(all);
  isolation.failed(instance("web/a@h1"), "web/a failed on h1");

  for (const [what, text, after, held] of [
    ["later steps on that host", "web/b@h1", ["web__a"], true],
    ["those on other hosts", "web/b@h2", ["web__a"], false],
    ["its neighbours of the same step", "web/a@h2", [], false],
    ["another circuit that has that host, on the host", "db/b@h1", ["web__a"], true],
    ["another circuit that has that host, on another", "db/b@d1", ["web__a"], false],
    ["what does not come after it", "db/b@h1", [], false],
    ["a resource without a host that comes after it", "lone", ["web__a"], true],
    ["a resource without a host that does not", "lone", [], false],
  ] as const) {
    test(`${what}: ${held ? "held back" : "goes on"}`, () => {
      expect(isolation.holdsBack(instance(text), after) !== undefined).toBe(held);
    });
  }

  test("who refers to the failed instance is held back, on whatever host", () => {
    const refers = (key: string): Access => ({ resource: "web__a", of: "one", key });
    expect(isolation.holdsBack(instance("db/b@d1", [refers("h1")]), [])).toBe("web/a failed on h1");
    expect(isolation.holdsBack(instance("db/b@d1", [refers("h2")]), [])).toBeUndefined();
  });

  test("only it itself is out", () => {
    expect(isolation.isOut(instance("web/a@h1"))).toBe(true);
    expect(isolation.isOut(instance("web/a@h2"))).toBe(false);
  });
});

test("a failure on a host that the circuit does not have holds back all of it", () => {
  const isolation = new Isolation(all);
  isolation.failed(instance("db/a@d1"), "db failed");
  for (const host of ["h1", "h2"]) {
    expect(isolation.holdsBack(instance(`web/b@${host}`), ["db__a"])).toBe("db failed");
  }
});

test("what was held back holds back in turn", () => {
  const isolation = new Isolation(all);
  isolation.failed(instance("lone"), "lone failed");
  isolation.failed(instance("web/a@h1"), "lone failed");
  expect(isolation.holdsBack(instance("web/b@h1"), ["web__a"])).toBe("lone failed");
});

test("on a host that changed since the plan not even what stands beside the failed instance is begun", () => {
  const isolation = new Isolation(all);
  const [first, second] = ["one", "two"].map((key) => ({ ...instance("web/a@h1"), key }));
  isolation.failed(first!, "web/a failed on h1");
  expect(isolation.holdsBack(second!, [])).toBeUndefined();
  isolation.closed(first!, "h1 changed");
  expect(isolation.holdsBack(second!, [])).toBe("web/a failed on h1");
  expect(isolation.holdsBack(instance("web/a@h2"), [])).toBeUndefined();
});

describe("what an instance waits for", () => {
  const members = ["web/a@h1", "web/a@h2", "db/a@h2", "db/a@d1", "db/a@h3", "lone"];
  const waits = ["web/b@h1", "web/b@h2", "db/b@h2", "db/b@d1", "other"];
  const known = [...members, ...waits].map((text) => instance(text));
  const hostsOf = (circuit: string | undefined): ReadonlySet<string | undefined> =>
    new Set(known.map(({ subject }) => subject).flatMap((of) => (of.circuit === circuit ? [of.host] : [])));

  /** The rule, word for word, over all failures. */
  function mustWait(waiting: PlannedInstance, failed: readonly PlannedInstance[], stopAll: boolean): boolean {
    const { circuit, host } = waiting.subject;
    return failed.some(({ subject }) => {
      if (circuit === undefined || subject.host === undefined) return true;
      return stopAll || subject.host === host || !hostsOf(circuit).has(subject.host);
    });
  }

  test("holds it back as the rule says, whenever it asks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...members), fc.constantFrom(...waits)), { maxLength: 12 }),
        fc.boolean(),
        (steps, stopAll) => {
          const isolation = new Isolation(known, new Set(stopAll ? ["web"] : []));
          const failed: PlannedInstance[] = [];
          for (const [fails, asks] of steps) {
            // Of another circuit, so that only what is waited for can hold anything back.
            const { subject, ...rest } = instance(fails);
            const circuit = subject.circuit && "before";
            const one = { ...rest, subject: { ...subject, circuit }, resource: "before" };
            isolation.failed(one, "failed");
            failed.push(one);
            const waiting = instance(asks);
            const because = isolation.holdsBack(waiting, ["nothing", "before"]);
            const stops = stopAll && waiting.subject.circuit === "web";
            expect(because !== undefined).toBe(mustWait(waiting, failed, stops));
          }
        },
      ),
    );
  });

  test("is found without going through all that failed", () => {
    const fleet = Array.from({ length: 400 }, (_, i) => [`web/a@h${i}`, `web/b@h${i}`]).flat();
    const isolation = new Isolation(fleet.map((text) => instance(text)));
    let looks = 0;
    for (let i = 0; i < 200; i++) {
      const { subject, ...rest } = instance(`web/a@h${i}`);
      const counted = {
        ...rest,
        get subject() {
          looks++;
          return subject;
        },
      };
      isolation.failed(counted as PlannedInstance, "failed");
    }
    for (let i = 200; i < 400; i++)
      expect(isolation.holdsBack(instance(`web/b@h${i}`), ["web__a"])).toBeUndefined();
    expect(looks).toBeLessThan(10 * 200);
  });
});
