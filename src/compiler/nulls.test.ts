/**
 * A null means what leaving the argument out means.
 */
import { describe, expect, it } from "vitest";
import { emitHcl } from "./emit/hcl.ts";
import { compileText, goodStep, inCircuit } from "./testing/marked.ts";

const body = (text: string): string | undefined => {
  const configuration = compileText(text);
  expect(configuration.diagnostics).toEqual([]);
  // Not the header, and not the lines that are named in comments.
  return emitHcl(configuration)
    .get("main.circuit.tf")
    ?.replace(/^#.*\n/gm, "");
};

const handler =
  'handler "reload" {\n    service {\n      name   = "nginx"\n      action = "reload"\n    }\n  }';

describe("null is as if it was not written", () => {
  it.each(["when", "on_remove", "run_once", "run_on", "notify", "ignore_errors", "depends_on", "ssh"])(
    "%s of a step",
    (name) => {
      expect(body(inCircuit(`  ${goodStep("a", `    ${name} = (null)`)}`))).toBe(
        body(inCircuit(`  ${goodStep("a")}`)),
      );
    },
  );

  it.each(["ssh", "depends_on", "order", "on_failure", "on_host_gone"])("%s of a circuit", (name) => {
    expect(body(inCircuit(`  ${goodStep("a")}\n  ${name} = null`))).toBe(
      body(inCircuit(`  ${goodStep("a")}`)),
    );
  });

  it("ssh of a handler", () => {
    const step = goodStep("a", "    notify = [handler.reload]");
    const without = inCircuit(`  ${step}\n  ${handler}`);
    expect(body(without.replace("service {", "ssh = null\n    service {"))).toBe(body(without));
  });

  it.each([
    ["rollout", "batch"],
    ["rollout", "max_failures"],
    ["rollout", "pause"],
  ])("in %s: %s", (block, name) => {
    const { circuits, diagnostics } = compileText(inCircuit(`  ${block} {\n    ${name} = null\n  }`));
    expect(diagnostics).toEqual([]);
    expect(circuits[0]!.rollout).toEqual({ batch: undefined, maxFailures: undefined, pause: undefined });
  });

  it("in retries", () => {
    const text = inCircuit(
      `  ${goodStep("a", "    retries {\n      attempts = null\n      interval = null\n    }")}`,
    );
    expect(compileText(text).diagnostics).toEqual([]);
    expect(compileText(text).resources[0]!.origin!.retries).toEqual({
      attempts: undefined,
      interval: undefined,
    });
  });
});
