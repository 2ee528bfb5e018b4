/**
 * Checks and conditions in runs that are not about everything: refresh-only, of a part, and those that destroy. What
 * OpenTofu 1.12.6 has for the same configuration of its own `terraform_data` is expected, but for what is said of variables
 * in a run of a part: ours looks at all of them.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "./plan.ts";
import { configurationOf } from "./testing/configuration.ts";
import { type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const condition = (kind: string, text: string, message: string) =>
  `${kind} {\n condition = ${text}\n error_message = "${message}"\n }\n`;
const file = (name: string, conditions: string) =>
  `resource "test_file" "${name}" {\n path = "/${name}"\n content = "1"\n lifecycle {\n${conditions}}\n}\n`;

/** @param limit what all that is to fail compares with; 0: all of it holds */
const site = (limit: number) => `
variable "v" {
  default = 3
  ${condition("validation", "var.v > 2", "v small")}
}
${file("a", condition("precondition", `var.v > ${limit}`, "pre a") + condition("postcondition", `var.v > ${limit} && self.content == "1"`, "post a"))}
${file("b", condition("postcondition", 'self.content == "1"', "post b"))}
check "c" {
  ${condition("assert", `tonumber(test_file.b.content) > ${limit}`, "check c")}
}
output "o" {
  value = test_file.b.content
  ${condition("precondition", 'test_file.b.content == "1"', "out o")}
}
output "bad" {
  value = var.v
  ${condition("precondition", `var.v > ${limit}`, "out bad")}
}`;

/** `ADDRESS STATUS: INSTANCE STATUS MESSAGES …` */
const checksOf = ({ checks = [] }: Plan): readonly string[] =>
  checks.map(
    ({ address, status, instances }) =>
      `${address} ${status}:${instances.map((one) => ` ${one.address} ${[one.status, ...one.messages].join(", ")}`).join("")}`,
  );
const said = ({ diagnostics }: Plan) =>
  diagnostics.map(({ severity, detail }) => `${severity}: ${detail}`).sort();

describe("refresh-only", () => {
  test("what does not hold of what there is is a warning, and is in the plan", async () => {
    await engine.apply(site(0));
    const plan = await engine.plan(site(10), { mode: "refresh-only" });
    expect(said(plan)).toEqual(["check c", "out bad", "post a", "pre a"].map((text) => `warning: ${text}`));
    expect(checksOf(plan)).toEqual([
      "check.c fail: check.c fail, check c",
      "output.bad fail: output.bad fail, out bad",
      "output.o pass: output.o pass",
      "test_file.a fail: test_file.a fail, pre a, post a",
      "test_file.b pass: test_file.b pass",
      "var.v pass: var.v pass",
    ]);
  });

  test("they are about what was found on the hosts, and kept in the state", async () => {
    await engine.apply(site(0));
    engine.hosts.files.set([...engine.hosts.files.keys()].find((path) => path.endsWith("/b"))!, "2");
    const run = await engine.start(site(0), { mode: "refresh-only" });
    expect(said(run.plan!)).toEqual(["warning: out o", "warning: post b"]);
    await run.apply();
    await run.close();
    expect(engine.state().check_results).toContainEqual({
      object_kind: "resource",
      config_addr: "test_file.b",
      status: "fail",
      objects: [{ object_addr: "test_file.b", status: "fail", failure_messages: ["post b"] }],
    });
  });

  test("of what is not there yet only what does not need it is looked at", async () => {
    const plan = await engine.plan(site(10), { mode: "refresh-only" });
    expect(said(plan)).toEqual([
      "warning: What it is about is not known before: whether it holds is said when this plan is applied.",
      "warning: out bad",
      "warning: pre a",
    ]);
    expect(checksOf(plan)).toContain("check.c unknown: check.c unknown");
  });
});

test("of a part: of what it is about, and that of the rest nothing is known", async () => {
  await engine.apply(site(0));
  const more = { target: ["test_file.b"] };
  const plan = await engine.plan(site(10), more);
  expect(said(plan)).toEqual([]);
  const known = ["test_file.b pass: test_file.b pass", "var.v pass: var.v pass"];
  const unknown = ["check.c unknown:", "output.bad unknown:", "output.o unknown:", "test_file.a unknown:"];
  expect(checksOf(plan)).toEqual([...unknown, ...known]);
  expect(checksOf(await engine.plan(site(10), { ...more, mode: "refresh-only" }))).toEqual([
    ...unknown,
    ...known,
  ]);
  await engine.apply(site(10), more);
  expect(engine.state().check_results).toContainEqual({
    object_kind: "check",
    config_addr: "check.c",
    status: "unknown",
    objects: null,
  });
});

test("where all ends nothing is looked at", async () => {
  await engine.apply(site(0));
  const plan = await engine.plan(site(10), { mode: "destroy" });
  expect(said(plan)).toEqual([]);
  expect(checksOf(plan)).toEqual([
    "check.c unknown:",
    "output.bad unknown: output.bad unknown",
    "output.o unknown: output.o unknown",
    "test_file.a unknown:",
    "test_file.b unknown:",
    "var.v unknown:",
  ]);
});

test("what has no instance has passed, and each condition has one place for all instances of its module", async () => {
  const inner = `variable "n" {}\n${file("a", condition("precondition", "var.n < 2", "n"))}`;
  const text = `module "m" {\n source = "./m"\n for_each = { a = 1, b = 1 }\n n = each.value\n}
resource "test_file" "none" {\n count = 0\n path = "/n"\n lifecycle {\n${condition("precondition", "path.module == path.root", "x")}}\n}\n`;
  const more = { configuration: configurationOf(text, { "./m": inner }) };
  expect(checksOf(await engine.plan("", more))).toEqual([
    'module.m.test_file.a pass: module.m["a"].test_file.a pass module.m["b"].test_file.a pass',
    "test_file.none pass:",
  ]);
  expect(checksOf(await engine.plan("", { ...more, mode: "destroy" }))).toEqual([
    "module.m.test_file.a unknown:",
    "test_file.none unknown:",
  ]);
});
