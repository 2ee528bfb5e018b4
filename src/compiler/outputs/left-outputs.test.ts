import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withHeader } from "./generated.ts";
import { removeLeftOutputs } from "./left-outputs.ts";

let root = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "conn3x-left-"));
  await mkdir(join(root, "old"));
  await writeFile(join(root, "old/web.circuit.tf"), withHeader("web.circuit.hcl", "locals {}\n"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

it("removes what is left of a circuit file that is gone", async () => {
  await removeLeftOutputs(root, new Set([""]), false);
  expect(await readdir(join(root, "old"))).toEqual([]);
});

it("leaves it while something of the circuit file's name is there, and waits for no pipe", async () => {
  execFileSync("mkfifo", [join(root, "old/web.circuit.hcl")]);
  expect(await removeLeftOutputs(root, new Set([""]), false)).toEqual([]);
  expect(await readdir(join(root, "old"))).toEqual(["web.circuit.hcl", "web.circuit.tf"]);
}, 5000);
