/** A state that was edited by hand: what cannot be understood of it is said. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram, type Program } from "./program.ts";
import { openSite, type Site } from "./site.ts";

let program: Program;
let site: Site;
let good: string;

const conn3x = (...args: readonly string[]) => program.run(args, { cwd: site.directory });
const state = () => join(site.directory, "terraform.tfstate");

beforeAll(async () => {
  [program, site] = await Promise.all([bundleProgram(), openSite()]);
  expect(await conn3x("apply", "-auto-approve")).toMatchObject({ status: 0 });
  good = readFileSync(state(), "utf8");
}, 60_000);

afterAll(async () => {
  program?.remove();
  await site?.remove();
});

test("private data that is none of ours", async () => {
  const text = good.replace(
    /"private": "[^"]+"/,
    `"private": "${Buffer.from("no JSON").toString("base64")}"`,
  );
  expect(text).not.toBe(good);
  writeFileSync(state(), text);
  const { status, stdout } = await conn3x("plan");
  expect(status).toBe(0);
  expect(stdout).toContain("Part of the state cannot be read");
  writeFileSync(state(), good);
  expect((await conn3x("plan")).stdout).not.toContain("cannot be read");
});

test("a module that is no address", async () => {
  writeFileSync(state(), good.replace('"mode": "managed"', '"module": "web[",\n      "mode": "managed"'));
  const { status, stderr } = await conn3x("plan");
  expect(status).toBe(1);
  expect(stderr).toContain("State file is damaged");
  expect(stderr).toContain('"web["');
});
