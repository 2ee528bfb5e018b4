/** What plans show of instances that come from another address, or are taken over from their host. */
import pico from "picocolors";
import { expect, test } from "vitest";
import type { PlannedChange } from "../../engine/plan.ts";
import { configurationOf } from "../../engine/testing/configuration.ts";
import { planJson } from "../json/plan-json.ts";
import { uiLines } from "../json/ui-lines.ts";
import { urnsIn } from "../state/instance-name.ts";
import { renderPlan } from "./plan.ts";
import { change, type Given, plan } from "./testing/planned.ts";

const options = { colors: pico.createColors(false), width: 78, format: "resources" as const, expand: false };
const file: Given = {
  before: { path: "/etc/a", mode: "0600" },
  after: { path: "/etc/a", mode: "0600" },
  decision: { action: "none" },
};
const edited: Given = {
  ...file,
  after: { path: "/etc/a", mode: "0644" },
  decision: { action: "update", reasons: [{ kind: "config" }] },
};
const moved = (given: Given, host: string): PlannedChange => ({
  ...change({ ...given, host }),
  movedFrom: `module.old["x"].conn3x_file.web__conf["${host}"]`,
});
const imported = (given: Given, host: string): PlannedChange => ({
  ...change({ ...given, host }),
  importing: `ssh://${host}/etc/a`,
});
const shown = (...changes: readonly PlannedChange[]): string => renderPlan(plan(changes), options);

test("what only moved", () => {
  expect(shown(moved(file, "web1"))).toBe(`
Conn3x will do the following:

  # conn3x_file.web__config["web1"] will be moved from module.old["x"].conn3x_file.web__conf["web1"]

Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 1 unchanged. Hosts: 0 of 1 change.
`);
});

test("on many hosts", () => {
  expect(shown(moved(file, "web1"), moved(file, "web2"))).toContain(`
  # conn3x_file.web__config on 2 hosts will be moved from module.old["x"].conn3x_file.web__conf
  #   web1, web2
`);
});

test("what is taken over", () => {
  expect(shown(imported(file, "web1"), imported(edited, "web2"))).toBe(`
Conn3x will do the following. What the marks mean:
    ~ update in place

  # conn3x_file.web__config["web1"] will be imported by "ssh://web1/etc/a"
    resource "conn3x_file" "web__config" {
        mode = "0600"
        path = "/etc/a"
    }

  # conn3x_file.web__config["web2"] will be updated because its configuration differs from what is imported
  # (imported by "ssh://web2/etc/a")
  ~ resource "conn3x_file" "web__config" {
      ~ mode = "0600" -> "0644"
        path = "/etc/a"
    }

Plan: 2 to import, 0 to create, 1 to update, 0 to replace, 0 to delete, 1 unchanged. Hosts: 1 of 2 change.
`);
});

test("as JSON", () => {
  const { resource_changes } = JSON.parse(
    planJson(plan([moved(file, "web1"), imported(file, "web2")]), configurationOf(""), urnsIn()),
  );
  expect(resource_changes).toMatchObject([
    { previous_address: 'module.old["x"].conn3x_file.web__conf["web1"]', change: { actions: ["no-op"] } },
    { change: { actions: ["no-op"], importing: { id: "ssh://web2/etc/a" } } },
  ]);
});

test("as lines of JSON", () => {
  const lines = uiLines(urnsIn(), () => new Date(0))
    .plan(plan([moved(file, "web1"), imported(file, "web2")]))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    {
      change: {
        action: "move",
        previous_resource: { module: 'module.old["x"]', resource_name: "web__conf" },
      },
    },
    { change: { action: "import", importing: { id: "ssh://web2/etc/a" } } },
    { "@message": "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.", changes: { import: 1 } },
  ]);
});
