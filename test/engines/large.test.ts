/**
 * Many instances, and large ones, under each engine that is here, with the attached provider on simulated hosts. The
 * number of instances is `CONN3X_LARGE` (default 200; the product's promise is about 2,000).
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { findEngines } from "./engine.ts";
import type { Measured } from "./large-run.ts";

const instances = Number(process.env.CONN3X_LARGE ?? 200);
const hosts = 20;

let bundle: { readonly directory: string; readonly program: string };
beforeAll(async () => {
  bundle = await bundleProvider("test/engines/large-run.ts");
});
afterAll(() => rmSync(bundle.directory, { recursive: true, force: true }));

/** @throws Error with what the run said when it fails */
function measure(...args: readonly (string | number)[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle.program, ...args.map(String)]);
    let output = "";
    let complaint = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    child.on("close", (status) =>
      status === 0 ? resolve(JSON.parse(output) as Measured) : reject(new Error(complaint)),
    );
  });
}

describe.each(findEngines())("$name $version", ({ program }) => {
  test("many instances: a question for each host", { timeout: 900_000 }, async () => {
    const measured = await measure(program, hosts, instances / hosts, 1);
    console.log(JSON.stringify(measured));
    expect(measured.instances).toBe(instances);
    expect(measured.roundTrips).toBe(hosts);
  });

  test("contents of five megabytes", { timeout: 300_000 }, async () => {
    const measured = await measure(program, 2, 1, 5_000_000);
    expect(measured.instances).toBe(2);
  });
});
