import { expect, test } from "vitest";
import { compileText, goodStep, inCircuit } from "../testing/marked.ts";
import { embeddedOnly, noEffectWithEngines } from "./embedded-only.ts";

test("what plain OpenTofu does not know of is named, circuit by circuit and step by step", () => {
  const configuration = compileText(
    inCircuit(`  order = "host"
  rollout {
    batch = 1
  }
  ${goodStep("a", "    ignore_errors = true\n    retries {\n      attempts = 2\n    }")}`),
  );
  expect(configuration.diagnostics).toEqual([]);
  const ofStep = expect.stringContaining("conn3x_file.web__a sets retries and ignore_errors,");
  expect(embeddedOnly(configuration).map(({ detail }) => detail)).toEqual([
    expect.stringContaining('Circuit "web" sets rollout and order,'),
    ofStep,
  ]);
  // Batch after batch is what conn3x does with other engines, too.
  expect(noEffectWithEngines(configuration).map(({ detail }) => detail)).toEqual([
    expect.stringContaining('Circuit "web" sets order,'),
    ofStep,
  ]);
});

test("what OpenTofu does by itself is not", () => {
  const configuration = compileText(inCircuit(`  on_failure = "stop"\n  ${goodStep("a")}`));
  expect(configuration.diagnostics).toEqual([]);
  expect(embeddedOnly(configuration)).toEqual([]);
});

test("instances in removed blocks", () => {
  const removed = (from: string) => `removed {\n  from = ${from}\n}\n`;
  const froms = [
    "conn3x_file.a",
    "module.a",
    'conn3x_file.b["x"]',
    "module.b[0]",
    'module.c["x"].conn3x_file.c',
  ];
  const configuration = compileText(froms.map(removed).join(""));
  expect(
    embeddedOnly(configuration).map(({ summary, range }) => [summary, range?.file.lineOf(range.start)]),
  ).toEqual([7, 10, 13].map((line) => ["OpenTofu removes no single instances", line]));
});
