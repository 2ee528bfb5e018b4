import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { otherWorkspace } from "./workspace.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-workspace-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const choose = (name: string, data = ".terraform"): void => {
  mkdirSync(join(directory, data));
  writeFileSync(join(directory, data, "environment"), name);
};

test("without a choice it is the default one", () => {
  expect(otherWorkspace({}, directory)).toBe(undefined);
  expect(otherWorkspace({ TF_WORKSPACE: "" }, directory)).toBe(undefined);
  expect(otherWorkspace({ TF_WORKSPACE: "default" }, directory)).toBe(undefined);
});

test("TF_WORKSPACE chooses, before what was chosen in the directory", () => {
  choose("staging");
  expect(otherWorkspace({ TF_WORKSPACE: "default" }, directory)).toBe(undefined);
  expect(otherWorkspace({ TF_WORKSPACE: "prod" }, directory)).toMatchObject({
    summary: 'Workspace "prod" is not for the embedded engine',
    detail: expect.stringContaining("-state=terraform.tfstate.d/prod/terraform.tfstate"),
  });
});

test("what was chosen in the directory counts, wherever the engine has its data", () => {
  choose("staging\n", "data");
  expect(otherWorkspace({}, directory)).toBe(undefined);
  expect(otherWorkspace({ TF_DATA_DIR: "data" }, directory)?.summary).toContain('"staging"');
});
