import { describe, expect, test } from "vitest";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Access } from "../load/world.ts";
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
