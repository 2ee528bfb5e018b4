/** A machine rebuilt at its address: nothing that was made on the one before counts as being there. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { type Embedded, openEmbedded } from "./embedded.ts";

let embedded: Embedded;
beforeEach(async () => {
  embedded = await openEmbedded();
  return () => embedded.remove();
});

const path = (name: string) => join(embedded.host.root, name);
const runs = (name: string) => readFileSync(path(name), "utf8").split("\n").length - 1;
const circuit = () => `
  step "conf" {
    file {
      path    = "${path("conf")}"
      content = "ours"
    }
    notify = [handler.note]
  }
  step "setup" {
    command {
      run = "echo run >>'${path("runs")}'"
    }
  }
  handler "note" {
    command {
      run = "echo run >>'${path("notes")}'"
    }
  }`;

interface Instance {
  private?: string;
}

/** Changes what is kept with each instance. */
function rewritePrivate(change: (data: Record<string, unknown>) => Record<string, unknown>): void {
  const file = JSON.parse(readFileSync(embedded.statePath, "utf8")) as {
    resources: { instances: Instance[] }[];
  };
  for (const instance of file.resources.flatMap(({ instances }) => instances)) {
    if (instance.private === undefined) continue;
    const data = JSON.parse(Buffer.from(instance.private, "base64").toString()) as Record<string, unknown>;
    instance.private = Buffer.from(JSON.stringify(change(data))).toString("base64");
  }
  writeFileSync(embedded.statePath, JSON.stringify(file));
}

const actions = async () =>
  (await embedded.plan(circuit())).changes.map(({ member, decision: { action, reasons } }) => [
    member,
    action,
    ...reasons,
  ]);
const same = [
  ["conf", "none"],
  ["setup", "none"],
  ["note", "none"],
];

test("its files are made again, its commands run again and its handlers run, with that as the reason", async () => {
  await embedded.apply(circuit());
  rewritePrivate((data) => ({ ...data, machine: "0".repeat(32) }));
  const { plan, failed } = await embedded.apply(circuit());
  expect(plan.changes.map(({ member, decision: { action } }) => [member, action])).toEqual([
    ["conf", "create"],
    ["setup", "create"],
    ["note", "replace"],
  ]);
  for (const { decision } of plan.changes.slice(0, 2))
    expect(decision.reasons).toEqual([{ kind: "gone", rebuilt: true }]);
  const warnings = plan.diagnostics.filter(({ summary }) => summary === "Host is another machine");
  expect(warnings).toMatchObject([{ severity: "warning", host: "h1" }]);
  expect(failed).toEqual([]);
  expect([runs("runs"), runs("notes")]).toEqual([2, 2]);
  expect(await actions()).toEqual(same);
});

test("where it was not known what machine it was, it is known from then on and nothing is done", async () => {
  await embedded.apply(circuit());
  rewritePrivate(({ machine: _, ...data }) => data);
  expect(await actions()).toEqual(same);
  await embedded.apply(circuit());
  rewritePrivate((data) => {
    expect(data.machine).toMatch(/^[\da-f]{32}$/);
    return data;
  });
  expect(runs("runs")).toBe(1);
});

test("what is not configured any more is forgotten, and nothing is deleted on the new machine", async () => {
  await embedded.apply(circuit());
  rewritePrivate((data) => ({ ...data, machine: "0".repeat(32) }));
  await embedded.apply("", { mode: "destroy" });
  expect(readFileSync(path("conf"), "utf8")).toBe("ours");
});
