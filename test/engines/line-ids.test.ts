/**
 * Engines print the ids of what they work on. That of a line does not tell it; and what was stored when it did is the same
 * line to every engine.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleProvider } from "../../provider/testing/bundle.ts";
import { bundleProgram, type Program } from "../cli/program.ts";
import { openSite, type Site } from "../cli/site.ts";
import { findEngines, titled } from "./engine.ts";
import { openWorkspace } from "./workspace.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let program: Program;
let provider: { readonly directory: string };
let site: Site;

beforeAll(async () => {
  program = await bundleProgram();
  provider = await bundleProvider("provider/main.ts");
  site = await openSite();
});
afterAll(async () => {
  program?.remove();
  if (provider !== undefined) rmSync(provider.directory, { recursive: true, force: true });
  await site?.remove();
});

const conn3x = (...args: readonly string[]) => program.run(args, { cwd: site.directory });
const secret = "hunter2";
const statePath = () => join(site.directory, "terraform.tfstate");
const idOf = () => {
  const { resources } = JSON.parse(readFileSync(statePath(), "utf8"));
  const line = resources.find(({ type }: { type: string }) => type === "conn3x_line").instances[0];
  return [line.schema_version, line.attributes.id];
};

/** Stored as the line's text was its id. */
function age(): string {
  const state = JSON.parse(readFileSync(statePath(), "utf8"));
  const { instances } = state.resources.find(({ type }: { type: string }) => type === "conn3x_line");
  const { attributes } = instances[0];
  const today = attributes.id;
  attributes.id = `${attributes.path}:${attributes.line}`;
  instances[0].schema_version = 0;
  writeFileSync(statePath(), JSON.stringify({ ...state, serial: state.serial + 1 }));
  return today;
}

describe.each(titled(findEngines()))("%s", (_, engine) => {
  test("prints no line, and takes a state of before without a difference", async () => {
    const path = `${site.host.root}/srv/site/app`;
    const line = `  step "entry" {
    line {
      path   = "${path}"
      line   = "password = ${secret}"
      create = true
    }
  }
  handler`;
    site.write(site.circuit.replace("  handler", line));
    expect(await conn3x("compile")).toMatchObject({ status: 0 });
    const alone = openWorkspace({ engine, provider, files: {}, directory: site.directory });
    const applied = await alone.apply();
    expect(applied, applied.stderr).toMatchObject({ status: 0 });
    const refreshed = await alone.run(["refresh", "-no-color"]);
    expect(refreshed.stdout).toContain(`[id=${path}:`);
    expect(refreshed.stdout).not.toContain(secret);

    const today = age();
    expect(idOf()).toEqual([0, expect.stringContaining(secret)]);
    for (const words of [[], [`-engine=${engine.program}`]]) {
      const planned = await conn3x("plan", "-detailed-exitcode", ...words);
      expect(planned, planned.stdout + planned.stderr).toMatchObject({ status: 0 });
    }
    expect(await alone.plan("-detailed-exitcode")).toMatchObject({ status: 0 });
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
    expect(idOf()).toEqual([1, today]);
    expect((await alone.destroy()).status).toBe(0);
  });
});
