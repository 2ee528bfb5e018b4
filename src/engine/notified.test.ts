/** Handlers where steps come, go, fail or are not on every host: from a circuit's text to hosts in memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compileFiles } from "../compiler/testing/compile-files.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { startRun } from "./run.ts";
import { actionsOf } from "./testing/engine.ts";
import { type MemoryHosts, memoryHosts, memoryKinds } from "./testing/memory-hosts.ts";

let fleet: MemoryHosts;
let folder: string;
beforeEach(() => {
  fleet = memoryHosts(["h0", "h1"]);
  folder = mkdtempSync(join(tmpdir(), "conn3x-notified-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param steps what stands in each; `thing` stands for one that makes something */
const circuit = (steps: Readonly<Record<string, string>>, more = ""): string => `circuit "c" {
  hosts = { h0 = "h0", h1 = "h1" }
${Object.entries(steps)
  .map(([name, text]) => `  step "${name}" {\n${text}\n  }\n`)
  .join("")}${more}
  handler "h" {
    service {
      name   = "unit0"
      action = "restart"
    }
  }
}
`;
const notify = "notify = [handler.h]";
const thing = (name: string, content = "x"): string =>
  `thing {\n name = "${name}"\n content = "${content}"\n }\n on_remove = "delete"\n ${notify}`;

/** @returns where the handler ran, whether the run failed, and what was planned for the handlers */
async function apply(text: string) {
  fleet.done.length = 0;
  const run = await startRun({
    configuration: compileFiles([new SourceFile("main.circuit.hcl", text)], {
      directory: ".",
      kinds: memoryKinds,
    }),
    provider: fleet.provider(),
    variables: [],
    statePath: join(folder, "terraform.tfstate"),
    mode: "normal",
    refresh: true,
    lockTimeout: 0,
    events: () => undefined,
    parallelism: 4,
  });
  expect(run.diagnostics).toEqual([]);
  const { failed } = await run.apply();
  await run.close();
  const planned = Object.entries(actionsOf(run.plan!)).filter(([address]) => address.includes("_action."));
  const ran = fleet.done.filter((line) => line.includes("service")).map((line) => line.slice(0, 2));
  // Whatever it runs for is done by then.
  expect(fleet.done.slice(fleet.done.length - ran.length).every((line) => line.includes("service"))).toBe(
    true,
  );
  return { ran: ran.sort(), failed: failed.length > 0, planned: planned.map(([, action]) => action) };
}

describe("nothing that notifies it is on a host: it is not run there", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["a step that runs once", { a: `run_once = true\n${thing("a")}` }, ["h0"]],
    ["keys of its own, none", { a: `for_each = toset([])\n${thing("a")}` }, []],
    [
      "keys of its own, on one host",
      { a: `for_each = host.name == "h1" ? toset(["k"]) : toset([])\n${thing("${each.key}")}` },
      ["h1"],
    ],
    ["a condition", { a: `when = host.name == "h1"\n${thing("a")}` }, ["h1"]],
    [
      "once, and a condition",
      { a: `run_once = true\n${thing("a")}`, b: `when = false\n${thing("b")}` },
      ["h0"],
    ],
    ["once, with keys", { a: `run_once = true\nfor_each = toset(["k"])\n${thing("a")}` }, ["h0"]],
    [
      "another step that is on all of them",
      { a: `run_once = true\n${thing("a")}`, b: thing("b") },
      ["h0", "h1"],
    ],
    ["no step at all", { a: 'thing {\n name = "a"\n content = "x"\n }' }, []],
  ])("%s", async (_, steps, expected) => {
    expect(await apply(circuit(steps))).toMatchObject({ ran: expected, failed: false });
    expect(new Set((await apply(circuit(steps))).planned)).toEqual(new Set(["none"]));
  });
});

describe("a removal is a change", () => {
  const plain = { z: 'thing {\n name = "z"\n content = "x"\n }' };
  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, readonly string[]]>([
    [
      "when turns false",
      { a: `when = true\n${thing("a")}` },
      { a: `when = false\n${thing("a")}` },
      ["h0", "h1"],
    ],
    [
      "when turns false on one host",
      { a: `when = true\n${thing("a")}` },
      { a: `when = host.name == "h0"\n${thing("a")}` },
      ["h1"],
    ],
    [
      "the last key goes",
      { a: `for_each = toset(["k"])\n${thing("a")}` },
      { a: `for_each = toset([])\n${thing("a")}` },
      ["h0", "h1"],
    ],
    [
      "the last key goes, beside a step that was never there",
      { a: `for_each = toset(["k"])\n${thing("a")}`, b: `when = false\n${thing("b")}` },
      { a: `for_each = toset([])\n${thing("a")}`, b: `when = false\n${thing("b")}` },
      ["h0", "h1"],
    ],
    ["the step goes", { ...plain, a: thing("a") }, plain, ["h0", "h1"]],
    ["one of two steps goes", { a: thing("a"), b: thing("b") }, { a: thing("a") }, ["h0", "h1"]],
    [
      "one of two keys goes",
      { a: `for_each = toset(["k", "l"])\n${thing("a${each.key}")}` },
      { a: `for_each = toset(["k"])\n${thing("a${each.key}")}` },
      ["h0", "h1"],
    ],
    ["its name is another", { a: thing("a") }, { a: thing("b") }, ["h0", "h1"]],
    ["what was never there is still not", { a: `when = false\n${thing("a")}` }, plain, []],
  ])("%s", async (_, before, after, expected) => {
    await apply(circuit(before));
    // A run that does not get through with it leaves it to the next one.
    for (const host of fleet.hosts.values()) host.fails = "service";
    expect(await apply(circuit(after))).toMatchObject({ ran: [], failed: expected.length > 0 });
    for (const host of fleet.hosts.values()) host.fails = "none";
    expect(await apply(circuit(after))).toMatchObject({ ran: expected, failed: false });
    expect((await apply(circuit(after))).ran).toEqual([]);
    // What was removed may come again, and go again.
    if (expected.length === 0) return;
    expect((await apply(circuit(before))).ran).toEqual(expected);
    expect((await apply(circuit(after))).ran).toEqual(expected);
  });
});

describe("a step's failure is ignored", () => {
  const steps = (good: string) => ({
    bad: `ignore_errors = true\n${thing("bad", good)}`,
    good: thing("good", good),
  });
  test("the handler runs for the other step, and for the failed one once it succeeds", async () => {
    for (const host of fleet.hosts.values()) host.fails = "put bad";
    // It is not there yet.
    expect(await apply(circuit(steps("one")))).toMatchObject({ ran: ["h0", "h1"], failed: false });
    expect(await apply(circuit(steps("one")))).toMatchObject({ ran: [], failed: false });
    expect((await apply(circuit(steps("two")))).ran).toEqual(["h0", "h1"]);
    for (const host of fleet.hosts.values()) host.fails = "none";
    expect((await apply(circuit(steps("two")))).ran).toEqual(["h0", "h1"]);
    // It is there, and cannot be updated.
    for (const host of fleet.hosts.values()) host.fails = "put bad";
    expect((await apply(circuit(steps("three")))).ran).toEqual(["h0", "h1"]);
    expect((await apply(circuit(steps("three")))).ran).toEqual([]);
    for (const host of fleet.hosts.values()) host.fails = "none";
    expect((await apply(circuit(steps("three")))).ran).toEqual(["h0", "h1"]);
    expect((await apply(circuit(steps("three")))).planned).toEqual(["none", "none"]);
  });
});

test('with order = "host" a handler watches the instances of a step with keys of its own on its own host', async () => {
  const step = { a: `for_each = toset(["x", "y"])\n${thing("${each.key}")}` };
  const text = circuit(step).replace('"h1" }', '"h1" }\n  order = "host"');
  const { ran } = await apply(text);
  expect([...ran].sort()).toEqual(["h0", "h1"]);
});
