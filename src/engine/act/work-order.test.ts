import { expect, test } from "vitest";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { Fleet } from "../evaluate/hosts/fleet.ts";
import type { Loaded, LoadedResource } from "../evaluate/load.ts";
import { runGroups } from "./schedule.ts";
import type { WorkToOrder } from "./work.ts";
import { workOrder } from "./work-order.ts";

/** A fleet whose hosts go on by themselves, or step after step, so many in a batch. */
const fleet = (circuit: string, hosts: readonly string[], order: Fleet["order"], size: number): Fleet => ({
  circuit,
  order,
  onFailure: "host",
  batchOf: new Map(hosts.map((host, i) => [host, Math.floor(i / size)])),
  batches: Math.ceil(hosts.length / size),
  maxFailures: 0,
  pause: 0,
});

const step = (circuit: string, member: string, after: readonly string[], runOnce = false) => {
  const address = `t.${circuit}__${member}`;
  const origin = { circuit, member, role: "step", kind: "file", ownKeys: false, runOnce };
  return [
    address,
    { resource: { address, origin }, after, allAfter: after } as unknown as LoadedResource,
  ] as const;
};

const create = (circuit: string, member: string, host: string): PlannedInstance =>
  ({
    resource: `t.${circuit}__${member}`,
    key: host,
    subject: { address: `t.${circuit}__${member}["${host}"]`, circuit, member, role: "step", host },
    decision: { action: "create" },
  }) as unknown as PlannedInstance;

function work(hosts: readonly string[], order: Fleet["order"], size: number): WorkToOrder {
  const resources = new Map([
    step("a", "once", [], true),
    step("a", "each", ["t.a__once"]),
    step("b", "each", ["t.a__each"]),
  ]);
  return {
    loaded: { resources } as unknown as Loaded,
    deletes: [],
    others: [
      create("a", "once", hosts[0]!),
      ...hosts.flatMap((host) => [create("a", "each", host), create("b", "each", host)]),
    ],
    fleets: new Map(["a", "b"].map((circuit) => [circuit, fleet(circuit, hosts, order, size)])),
  };
}

async function done(from: WorkToOrder): Promise<readonly string[]> {
  const ended: string[] = [];
  await runGroups(workOrder(from), 1, async (task) => {
    ended.push(
      task.does === "open" ? `open ${task.fleet.circuit} ${task.batch}` : task.instance.subject.address,
    );
  });
  return ended;
}

test("another circuit waits for all hosts of a resource that it refers to, in all batches", async () => {
  for (const order of ["step", "host"] as const) {
    const order1 = await done(work(["h1", "h2", "h3"], order, 1));
    expect(order1).toHaveLength(7 + 4);
    expect(order1[0]).toBe('t.a__once["h1"]');
    expect(order1.slice(-5).filter((name) => name.startsWith("t."))).toEqual(
      ["h1", "h2", "h3"].map((host) => `t.b__each["${host}"]`),
    );
  }
});

test.each(["step", "host"] as const)(
  "what is waited for grows with hosts, not with their square: by %s",
  (order) => {
    const hosts = Array.from({ length: 1000 }, (_, i) => `h${i}`);
    const names = workOrder(work(hosts, order, 1)).reduce((sum, { after }) => sum + after.length, 0);
    expect(names).toBeLessThan(30 * hosts.length);
  },
);
