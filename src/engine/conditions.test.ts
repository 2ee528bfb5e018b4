/** `precondition` and `postcondition`: what does not hold stops what it is about, at once or when it is known. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configurationOf } from "./testing/configuration.ts";
import { type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const condition = (kind: string, text: string, message = '"Not so."'): string =>
  `lifecycle {\n ${kind} {\n condition = ${text}\n error_message = ${message}\n }\n }\n`;

const file = (name: string, more = "", content = "one"): string =>
  `resource "test_file" "${name}" {\n path = "/${name}"\n content = "${content}"\n ${more}}\n`;

const paths = () => [...engine.hosts.files.keys()];

describe("while planning", () => {
  test.each([
    [
      "a precondition",
      file("a", condition("precondition", "1 > 2")),
      "A precondition does not hold: Not so.",
    ],
    [
      "a postcondition",
      file("a", condition("postcondition", 'self.content == "two"', '"It is ${self.content}."')),
      "A postcondition does not hold: It is one.",
    ],
    [
      "an output's precondition",
      `${file("a")}output "o" {\n value = 1\n precondition {\n condition = test_file.a.content == "two"\n error_message = "Not so."\n }\n}\n`,
      "A precondition of an output does not hold: Not so.",
    ],
    [
      "no condition at all",
      file("a", condition("precondition", "[]")),
      "A precondition is no condition: Its condition is neither true nor false.",
    ],
    [
      "a sensitive message",
      file("a", condition("precondition", "false", 'sensitive("secret")')),
      "A precondition does not hold: Its condition does not hold. Its message is sensitive, not known, or no text.",
    ],
  ])("%s that does not hold is an error, and nothing is done", async (_, text, expected) => {
    expect(await engine.problems(text)).toEqual([expected]);
    expect(paths()).toEqual([]);
  });

  test("whose it is, is said", async () => {
    const text = `resource "test_file" "a" {
  for_each = { x = "1", y = "2" }
  path     = "/${"${each.key}"}"
  content  = each.value
  ${condition("precondition", 'each.value == "1"')}
}`;
    const run = await engine.start(text);
    await run.close();
    expect(run.diagnostics.map(({ address }) => address)).toEqual(['test_file.a["y"]']);
  });

  test("what holds is said nothing about; each and other resources are known in it", async () => {
    const text =
      file("a") +
      `resource "test_file" "b" {
  for_each = { x = "1" }
  path     = "/b"
  content  = each.value
  ${condition("precondition", 'each.value == "1" && test_file.a.content == "one"')}
}`;
    expect((await engine.plan(text)).diagnostics).toEqual([]);
  });

  test("of a destroy nothing is asked", async () => {
    await engine.apply(file("a"));
    const broken = file("a", condition("precondition", "false"));
    const outcome = await engine.apply(broken, { mode: "destroy" });
    expect(outcome).toMatchObject({ deleted: 1, failed: [] });
  });
});

describe("what is known only while applying", () => {
  const unknown = 'test_file.a.revision == ""';

  test("a precondition keeps its instance from being made, and what comes after", async () => {
    const text =
      file("a") + file("b", condition("precondition", unknown)) + file("c", "depends_on = [test_file.b]\n");
    expect((await engine.plan(text)).diagnostics).toEqual([]);
    const outcome = await engine.apply(text);
    expect(outcome.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`)).toEqual([
      "A precondition does not hold: Not so.",
    ]);
    expect(outcome).toMatchObject({ created: 1, failed: [{ address: "test_file.b" }] });
    expect(paths()).toEqual(["here:/a"]);
  });

  test("a postcondition leaves its instance stored and not tainted, and stops what comes after", async () => {
    const text =
      file("a", condition("postcondition", 'self.revision == ""')) +
      file("b", "depends_on = [test_file.a]\n");
    const outcome = await engine.apply(text);
    expect(outcome).toMatchObject({ failed: [{ address: "test_file.a" }] });
    expect(paths()).toEqual(["here:/a"]);
    expect(engine.state().resources.map(({ name, instances }) => [name, instances[0]!.status])).toEqual([
      ["a", undefined],
    ]);
  });

  test("a condition of what there is nothing to do about is looked at in the end", async () => {
    const b = file("b", condition("postcondition", 'length(test_file.a.revision) == 0 || self.path == "/x"'));
    await engine.apply(file("a") + file("b"));
    const outcome = await engine.apply(file("a", "", "two") + b);
    expect(outcome.diagnostics.map(({ summary, severity }) => [severity, summary])).toEqual([
      ["error", "A postcondition does not hold"],
    ]);
  });

  test("an output keeps what it was", async () => {
    const output = (limit: string) =>
      `output "o" {\n value = test_file.a.revision\n precondition {\n condition = test_file.a.revision ${limit}\n error_message = "Not so."\n }\n}\n`;
    await engine.apply(file("a") + output('!= ""'));
    const before = engine.state().outputs;
    const outcome = await engine.apply(file("a", "", "two") + output('== ""'));
    expect(outcome.diagnostics.map(({ summary }) => summary)).toEqual([
      "A precondition of an output does not hold",
    ]);
    expect(engine.state().outputs).toEqual(before);
  });
});

test("what came of them is in the state, as OpenTofu keeps it", async () => {
  const text = `resource "test_file" "a" {
  for_each = { x = "1" }
  path     = "/a"
  content  = each.value
  ${condition("precondition", 'each.key == "x"')}
}
output "o" {
  value = 1
  precondition {
    condition     = test_file.a["x"].path == "/a"
    error_message = "x"
  }
}`;
  await engine.apply("", { configuration: configurationOf(text) });
  expect(engine.state().check_results).toEqual([
    {
      object_kind: "output_value",
      config_addr: "output.o",
      status: "pass",
      objects: [{ object_addr: "output.o", status: "pass" }],
    },
    {
      object_kind: "resource",
      config_addr: "test_file.a",
      status: "pass",
      objects: [{ object_addr: 'test_file.a["x"]', status: "pass" }],
    },
  ]);
});

test("a plan says what comes of them, as far as that is known, and a part of a plan what it is about", async () => {
  const known = condition("postcondition", 'self.content == "one"');
  const later = condition("postcondition", 'self.revision != ""');
  const text = file("a", known) + file("b", later) + file("c");
  const result = (name: string, status: string) => {
    const about = { kind: "resource", address: `test_file.${name}`, status };
    return { ...about, instances: [{ ...about, messages: [] }] };
  };
  expect((await engine.plan(text)).checks).toMatchObject([result("a", "pass"), result("b", "unknown")]);
  await engine.apply(text);
  expect((await engine.plan(text)).checks).toMatchObject([result("a", "pass"), result("b", "pass")]);
  expect((await engine.plan(text, { target: ["test_file.a"] })).checks).toMatchObject([
    result("a", "pass"),
    { address: "test_file.b", status: "unknown", instances: [] },
  ]);
});
