import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { readEnginePlan, type SavedFacts, saveEnginePlan } from "./saved-run.ts";
import { withZipEntry, zipEntry } from "./zip.ts";

/** An empty archive, as the engine's plan would be one. */
const archive = withZipEntry(
  Buffer.from(`504b0506${"00".repeat(18)}`, "hex"),
  "tfplan",
  Buffer.from("plan"),
)!;
const facts: SavedFacts = {
  mode: "destroy",
  isPartial: true,
  refresh: false,
  diagnostics: [{ severity: "warning", summary: "Odd", detail: "" }],
  log: { decisions: [], unread: ["a"], read: ["b"], keeps: [["c", "shared"]] },
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-saved-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));
const path = (name: string) => join(directory, name);
const put = (name: string, content: Buffer | string) => {
  writeFileSync(path(name), content);
  return path(name);
};

test("what was known of a plan is read again, and the engine's own part is as it was", async () => {
  const range = { file: new SourceFile("main.circuit.hcl", "x"), start: 0, end: 1 };
  const said = { ...facts, diagnostics: facts.diagnostics.map((diagnostic) => ({ ...diagnostic, range })) };
  expect(await saveEnginePlan(put("plan", archive), path("saved"), said)).toEqual([]);
  const read = await readEnginePlan(path("saved"));
  // Places in files may be others by then.
  expect(read).toEqual({ facts: { version: 2, ...facts } });
  expect(zipEntry(readFileSync(path("saved")), "tfplan")?.toString()).toBe("plan");
  // Values are in it in clear.
  expect(statSync(path("saved")).mode & 0o777).toBe(0o600);
});

test("an encrypted plan stays as it is, without reasons that would be in clear", async () => {
  const encrypted = Buffer.from('{"meta":{},"encrypted_data":"x"}');
  expect(await saveEnginePlan(put("plan", encrypted), path("saved"), facts)).toEqual([]);
  expect(readFileSync(path("saved"))).toEqual(encrypted);
  expect(await readEnginePlan(path("saved"))).toEqual({ facts: undefined });
});

test("the engine's own plan has no facts, and neither has one that another version wrote, or that is damaged", async () => {
  expect(await readEnginePlan(put("own", archive))).toEqual({ facts: undefined });
  for (const entry of ['{"version": 1, "mode": "normal"}', '{"version": 2, "mode": "?"}', "{", ""])
    expect(
      await readEnginePlan(put("odd", withZipEntry(archive, "conn3x.json", Buffer.from(entry))!)),
    ).toEqual({
      facts: undefined,
    });
});

test("what is no plan of an engine's is told", async () => {
  expect((await readEnginePlan(put("ours", gzipSync("{}")))).problem?.summary).toContain(
    "is no plan of this engine",
  );
  expect((await readEnginePlan(path("missing"))).problem?.detail).toContain("missing");
  expect(await readEnginePlan(put("empty", ""))).toEqual({ facts: undefined });
});

test("a place that cannot be written to is told, and nothing is left there", async () => {
  const [problem] = await saveEnginePlan(put("plan", archive), path("no/where"), facts);
  expect(problem).toMatchObject({ severity: "error", summary: "Plan cannot be saved" });
  expect(existsSync(path("no"))).toBe(false);
});
