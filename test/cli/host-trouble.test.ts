/**
 * What is the matter with one host ends no command for the others: what is stored about it stays, with one warning.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TroubledSite, troubledSite } from "./host-trouble.ts";
import { bundleProgram, type Program } from "./program.ts";

let program: Program;
let site: TroubledSite;
beforeAll(async () => {
  [program, site] = await Promise.all([bundleProgram(), troubledSite()]);
});
afterAll(async () => {
  program?.remove();
  await site?.remove();
});

const conn3x = (...args: readonly string[]) => program.run(args, { cwd: site.directory });
const troubled = ["-var=trouble=true"];
const contents = (): Record<string, string> =>
  Object.fromEntries(
    [...site.healthy, ...Object.keys(site.troubles)].map((name) => [
      name,
      readFileSync(site.file(name), "utf8"),
    ]),
  );
const stateOf = (name: string): unknown => {
  const { resources } = JSON.parse(readFileSync(join(site.directory, "terraform.tfstate"), "utf8"));
  return resources[0].instances.find((instance: { index_key: string }) => instance.index_key === name);
};
const expectWarned = (output: string): void => {
  const said = output.replace(/\s+/g, " ");
  for (const [name, { summary }] of Object.entries(site.troubles)) {
    expect(said).toContain(`Warning: ${summary}`);
    expect(said, name).toMatch(new RegExp(`on host ${name} |: (?:\\w+, )*${name}[,.]| ${name}: `));
  }
};

describe("hosts with troubles", () => {
  test("are nobody else's: plan, apply, drift, refresh and run", { timeout: 120_000 }, async () => {
    expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
    const before = contents();
    const stored = Object.fromEntries(Object.keys(site.troubles).map((name) => [name, stateOf(name)]));

    const planned = await conn3x("plan", "-expand", "-var=text=after", ...troubled);
    expect(planned.status, planned.stdout + planned.stderr).toBe(0);
    expectWarned(planned.stdout + planned.stderr);
    for (const name of site.healthy)
      expect(planned.stdout).toMatch(new RegExp(`^ +~ note .*\\b${name}\\b`, "m"));

    const applied = await conn3x("apply", "-auto-approve", "-var=text=after", ...troubled);
    expect(applied.status).toBe(1);
    expectWarned(applied.stdout + applied.stderr);
    for (const [name, { summary }] of Object.entries(site.troubles))
      expect(applied.stdout).toMatch(new RegExp(`^ +${name} +note +${summary}`, "m"));
    expect(contents()).toEqual({ ...before, a1: "after", z1: "after" });
    for (const [name, instance] of Object.entries(stored)) expect(stateOf(name), name).toEqual(instance);

    const same = ["-var=text=before", "-limit=port,changed", ...troubled];
    expect(await conn3x("drift", ...same)).toMatchObject({ status: 3 });
    writeFileSync(site.file("z1"), "by hand");
    const drift = await conn3x("drift", "-var=text=after", ...troubled);
    expect(drift.status).toBe(2);
    expectWarned(drift.stdout + drift.stderr);
    expect(drift.stdout).toContain("Host z1:");
    expect(await conn3x("refresh", ...troubled)).toMatchObject({ status: 1 });
    for (const [name, instance] of Object.entries(stored)) expect(stateOf(name), name).toEqual(instance);

    const run = await conn3x("run", ...troubled, "--", "echo here");
    expect(run.status).toBe(1);
    for (const name of site.healthy) expect(run.stdout).toContain(`${name}: done\n  here\n`);
    for (const name of Object.keys(site.troubles)) expect(run.stdout).toContain(`${name}: not run\n`);

    const destroyed = await conn3x("destroy", "-auto-approve", ...troubled);
    expect(destroyed.status).toBe(1);
    // What was made at another address is removed there.
    for (const name of Object.keys(site.troubles))
      expect([name, stateOf(name) === undefined]).toEqual([name, name === "port"]);
    for (const name of site.healthy) expect(stateOf(name)).toBeUndefined();
    expect(await conn3x("destroy", "-auto-approve")).toMatchObject({ status: 0 });
  });

  test("are nobody else's: import", { timeout: 120_000 }, async () => {
    const names = [...site.healthy, ...Object.keys(site.troubles)];
    for (const name of names) writeFileSync(site.file(name), "before");
    const take = (name: string) =>
      conn3x("import", ...troubled, `conn3x_file.web__note["${name}"]`, `web/${name}:${site.file(name)}`);
    for (const [name, { summary }] of Object.entries(site.troubles)) {
      const refused = await take(name);
      const said = (refused.stdout + refused.stderr).replace(/[│╷╵\s]+/g, " ");
      expect([name, refused.status, said]).toEqual([name, 1, expect.stringContaining(`Error: ${summary}`)]);
      expect(said).toContain(name);
    }
    for (const name of site.healthy) expect(await take(name)).toMatchObject({ status: 0 });
    for (const name of names)
      expect([name, stateOf(name) !== undefined]).toEqual([name, site.healthy.includes(name)]);
  });
});
