/** Runs that are about a part of the configuration: what is left out is neither read nor changed, and stays stored. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "./plan.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

/** Three steps, a handler of the second, on hosts h1 and h2; and a resource of no circuit. */
const circuit = (content = "one") => `
locals {
  hosts = { h1 = "h1", h2 = "h2" }
}
${["a", "b", "c"]
  .map(
    (name, i, all) => `
resource "test_file" "web__${name}" {
  for_each   = local.hosts
  path       = "/${name}"
  content    = "${content}"
  depends_on = [${i === 0 ? "" : `test_file.web__${all[i - 1]}`}]
  ssh {
    address = each.value
  }
}`,
  )
  .join("\n")}
resource "test_action" "web__reload" {
  for_each   = local.hosts
  name       = "nginx"
  triggers   = [test_file.web__b[each.key].revision]
  depends_on = [test_file.web__c]
  ssh {
    address = each.value
  }
}
resource "test_file" "alone" {
  path    = "/alone"
  content = "${content}"
}
output "b" {
  value = test_file.web__b["h1"].content
}
`;

/** Addresses of what the plan changes, without types and circuit. */
const changing = (plan: Plan): readonly string[] =>
  Object.entries(actionsOf(plan))
    .filter(([, action]) => action !== "none")
    .map(([address]) => address.replace(/^test_\w+\.(web__)?/, ""))
    .sort();

const two = { h1: ['a["h1"]', 'b["h1"]', 'c["h1"]', 'reload["h1"]'] };

test.each([
  ["a step, with what is before it", { step: ["b"] }, ['a["h1"]', 'a["h2"]', 'b["h1"]', 'b["h2"]']],
  [
    "an instance, with what is before it on its host",
    { target: ['test_file.web__b["h1"]'] },
    ['a["h1"]', 'b["h1"]'],
  ],
  ["a resource", { target: ["test_file.alone"] }, ["alone"]],
  ["a host", { limit: ["h1"] }, two.h1],
  ["hosts by a pattern", { limit: ["?1"] }, two.h1],
  ["a circuit on a host", { circuit: ["web"], limit: ["h1"] }, two.h1],
  ["a step on a host", { step: ["a"], limit: ["h*1"] }, ['a["h1"]']],
] as const)("%s", async (_, names, expected) => {
  await engine.apply(circuit());
  expect(changing(await engine.plan(circuit("two"), names))).toEqual(expected);
});

test("what is left out is neither read nor changed, and planned the next time", async () => {
  await engine.apply(circuit());
  engine.hosts.down.add("h2");
  const planned = await engine.plan(circuit("two"), { limit: ["h1"] });
  expect(planned.diagnostics).toEqual([]);
  expect(planned).toMatchObject({ isPartial: true, outputs: [{ name: "b" }] });
  expect(await engine.apply(circuit("two"), { limit: ["h1"] })).toMatchObject({ updated: 3, replaced: 1 });
  engine.hosts.down.clear();
  expect(changing(await engine.plan(circuit("two")))).toEqual([
    'a["h2"]',
    "alone",
    'b["h2"]',
    'c["h2"]',
    'reload["h2"]',
  ]);
});

test("a handler that was left out runs when it is not", async () => {
  await engine.apply(circuit());
  await engine.apply(circuit("two"), { step: ["b"] });
  expect(engine.hosts.log).not.toContain("run h1:nginx");
  await engine.apply(circuit("two"));
  expect(engine.hosts.log).toContain("run h1:nginx");
});

describe("destroying a part", () => {
  test("takes what comes after it along, and keeps outputs", async () => {
    await engine.apply(circuit());
    const plan = await engine.plan(circuit(), { mode: "destroy", target: ['test_file.web__b["h1"]'] });
    expect(changing(plan)).toEqual(['b["h1"]', 'c["h1"]', 'reload["h1"]']);
    await engine.apply(circuit(), { mode: "destroy", target: ['test_file.web__b["h1"]'] });
    expect(engine.state().outputs).toHaveProperty("b");
    expect(engine.hosts.files.has("h2:/b")).toBe(true);
  });

  test("of a host", async () => {
    await engine.apply(circuit());
    await engine.apply(circuit(), { mode: "destroy", limit: ["h2"] });
    expect([...engine.hosts.files.keys()].sort()).toEqual(["h1:/a", "h1:/b", "h1:/c", "here:/alone"]);
  });
});

test.each([
  [{ target: ["test_file.web__d"] }, "There is no address test_file.web__d: Did you mean test_file.web__"],
  [{ circuit: ["wep"] }, "There is no circuit wep: Did you mean web?"],
  [{ step: ["relaod"] }, "There is no step or handler relaod: Did you mean reload?"],
  [
    { limit: ["db*"] },
    "There is no host db*: Neither the configuration nor the state has one. There are: h1, h2.",
  ],
] as const)("%o is an error that says what there is", async (names, expected) => {
  await engine.apply(circuit());
  expect(await engine.problems(circuit(), names)).toEqual([expect.stringContaining(expected)]);
});
