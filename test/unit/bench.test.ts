/** The benchmarks' simulated hosts answer what kinds ask today: a benchmark of errors would be quick. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runEngine, simulatedCircuit } from "../bench/engine.ts";

test("a first apply and a plan without changes on simulated hosts", async () => {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-bench-"));
  try {
    writeFileSync(join(directory, "main.circuit.hcl"), simulatedCircuit(3, 2));
    // It throws where anything fails, or where the plan has changes.
    expect(await runEngine(directory, "first")).toMatchObject({ instances: 6 });
    expect(await runEngine(directory, "plan")).toMatchObject({ instances: 6 });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
