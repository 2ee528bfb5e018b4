import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { makeShortDirectory } from "./short-directory.ts";

const made: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

const parentWith = async (runtimeDirectory: string): Promise<string> => {
  vi.stubEnv("XDG_RUNTIME_DIR", runtimeDirectory);
  vi.stubEnv("TMPDIR", "/tmp");
  const { path } = await makeShortDirectory();
  made.push(path);
  return dirname(path);
};

test("it is in the user's directory for such, where there is one and its path is short", async () => {
  const runtime = mkdtempSync("/tmp/c-");
  made.push(runtime);
  expect(await parentWith(runtime)).toBe(runtime);
  expect(await parentWith(join(runtime, "missing"))).toBe("/tmp");
  expect(await parentWith(`/${"é".repeat(31)}`)).toBe("/tmp");
  expect(await parentWith("")).toBe("/tmp");
});
