import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "../../compiler/source/load.ts";
import { kinds } from "../../resources/index.ts";
import { refreshOutputs } from "./prepare.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-prepare-"));
  const circuit = `variable "hosts" {
  type    = map(object({ address = string, port = optional(number) }))
  default = { web1 = { address = "a" } }
}
circuit "web" {
  hosts = var.hosts
  step "root" {
    directory {
      path = "/srv"
    }
  }
}
`;
  writeFileSync(join(directory, "main.circuit.hcl"), circuit);
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const refreshed = async (hosts: string) => {
  const given = { name: "hosts", text: hosts, form: "expression", source: "-var" } as const;
  const found = await refreshOutputs(await loadConfiguration(directory, { kinds }), [given]);
  return found.map(({ summary, host }) => `${summary} | ${host}`);
};

test("before a plan, what variables make of hosts is checked, and nothing is written where it is wrong", async () => {
  const wrong = '{ web1 = { address = "a", port = 70000 }, web2 = { address = "b", prt = 1 } }';
  expect(await refreshed(wrong)).toEqual(["Invalid value | web1", 'Unknown setting "prt" | web2']);
  expect(readdirSync(directory)).toEqual(["main.circuit.hcl"]);
  expect(await refreshed('{ web1 = { address = "a", port = 7000 } }')).toEqual([]);
  expect(readdirSync(directory).sort()).toEqual([
    "conn3x_override.tf",
    "main.circuit.hcl",
    "main.circuit.tf",
  ]);
});
