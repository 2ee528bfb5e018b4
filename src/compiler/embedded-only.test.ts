import { expect, test } from "vitest";
import { embeddedOnly } from "./embedded-only.ts";
import { compileText, goodStep, inCircuit } from "./testing/marked.ts";

test("what plain OpenTofu does not know of is named, circuit by circuit and step by step", () => {
  const configuration = compileText(
    inCircuit(`  order = "host"
  rollout {
    batch = 1
  }
  ${goodStep("a", "    ignore_errors = true\n    retries {\n      attempts = 2\n    }")}`),
  );
  expect(configuration.diagnostics).toEqual([]);
  expect(embeddedOnly(configuration).map(({ detail }) => detail)).toEqual([
    expect.stringContaining('Circuit "web" sets rollout and order,'),
    expect.stringContaining("conn3x_file.web__a sets retries and ignore_errors,"),
  ]);
});

test("what OpenTofu does by itself is not", () => {
  const configuration = compileText(inCircuit(`  on_failure = "stop"\n  ${goodStep("a")}`));
  expect(configuration.diagnostics).toEqual([]);
  expect(embeddedOnly(configuration)).toEqual([]);
});
