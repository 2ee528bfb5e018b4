/** `check` blocks: warnings, and nothing else. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { configurationOf } from "./testing/configuration.ts";
import { type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const file = 'resource "test_file" "a" {\n path = "/a"\n content = "one"\n}\n';
const check = (condition: string, message = "Not so.") =>
  `check "c" {\n assert {\n condition = ${condition}\n error_message = "${message}"\n }\n}\n`;

const said = (
  diagnostics: readonly { readonly severity: string; readonly summary: string; readonly detail: string }[],
) => diagnostics.map(({ severity, summary, detail }) => `${severity}: ${summary}: ${detail}`);

test.each([
  ["holds", 'test_file.a.content == "one"', []],
  ["does not hold", 'test_file.a.content == "two"', ["warning: Check block assertion failed: Not so."]],
  [
    "is not known yet",
    'test_file.a.revision == ""',
    [expect.stringMatching(/^warning: A check is made at apply/)],
  ],
  ["is no condition", "[path.module]", [expect.stringMatching(/^warning: A check cannot be made/)]],
  ["has an error", "1 / [path.module] > 1", [expect.stringMatching(/^warning: /)]],
])("one that %s", async (_, condition, expected) => {
  const { diagnostics } = await engine.plan(file + check(condition));
  expect(said(diagnostics)).toEqual(expected);
});

test("is made again when everything is done, and stops nothing", async () => {
  const outcome = await engine.apply(
    file + check('test_file.a.revision == ""', "It is ${test_file.a.revision}."),
  );
  expect(outcome).toMatchObject({ created: 1, failed: [] });
  expect(said(outcome.diagnostics)).toEqual([
    expect.stringMatching(/^warning: Check block assertion failed: It is r\d+\.$/),
  ]);
});

test("in each instance of a module", async () => {
  const inner = `variable "n" {}\n${check("var.n < 2", "${var.n} is too much.")}`;
  const text = 'module "m" {\n source = "./m"\n for_each = { a = 1, b = 2 }\n n = each.value\n}';
  const { diagnostics } = await engine.plan("", { configuration: configurationOf(text, { "./m": inner }) });
  expect(diagnostics.map(({ address, detail }) => [address, detail])).toEqual([
    ['module.m["b"].check.c', "2 is too much."],
  ]);
});

test("what came of them is in the state, and of the conditions of variables", async () => {
  const inner = `variable "n" {
  validation {
    condition     = var.n > 0
    error_message = "x"
  }
}
${check("var.n < 2", "Too much.")}`;
  const text = 'module "m" {\n source = "./m"\n for_each = { a = 1, b = 2 }\n n = each.value\n}\n';
  const using = (more: string) => ({ configuration: configurationOf(text + more, { "./m": inner }) });
  await engine.apply("", using(check('path.module == "."')));
  expect(engine.state().check_results).toEqual([
    {
      object_kind: "check",
      config_addr: "check.c",
      status: "pass",
      objects: [{ object_addr: "check.c", status: "pass" }],
    },
    {
      object_kind: "check",
      config_addr: "module.m.check.c",
      status: "fail",
      objects: [
        { object_addr: 'module.m["a"].check.c', status: "pass" },
        { object_addr: 'module.m["b"].check.c', status: "fail", failure_messages: ["Too much."] },
      ],
    },
    {
      object_kind: "var",
      config_addr: "module.m.var.n",
      status: "pass",
      objects: [
        { object_addr: 'module.m["a"].var.n', status: "pass" },
        { object_addr: 'module.m["b"].var.n', status: "pass" },
      ],
    },
  ]);
  const { serial } = engine.state();
  await engine.apply("", using(check('path.module == "."')));
  expect(engine.state().serial).toBe(serial);
});
