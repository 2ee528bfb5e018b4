import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withHeader, withJsonHeader } from "./generated.ts";
import { planOutputs } from "./outputs.ts";
import { checkOutputs, writeOutputs } from "./write-outputs.ts";

const generated = (content: string, source = "main.circuit.hcl") => withHeader(source, content);
const files = (entries: Readonly<Record<string, string>>) => new Map(Object.entries(entries));

describe("planning outputs", () => {
  it("writes what is not there", () => {
    const text = generated("a\n");
    expect(planOutputs(files({ "main.circuit.tf": text }), files({}))).toEqual({
      actions: [{ action: "write", name: "main.circuit.tf", text }],
      diagnostics: [],
    });
  });

  it("does nothing when all is as it should be", () => {
    const text = generated("a\n");
    const same = files({ "main.circuit.tf": text });
    expect(planOutputs(same, same)).toEqual({ actions: [], diagnostics: [] });
  });

  it("overwrites an older output", () => {
    const { actions, diagnostics } = planOutputs(
      files({ "main.circuit.tf": generated("b\n") }),
      files({ "main.circuit.tf": generated("a\n") }),
    );
    expect(actions.map(({ action, name }) => [action, name])).toEqual([["write", "main.circuit.tf"]]);
    expect(diagnostics).toEqual([]);
  });

  it("refuses to overwrite an output that was changed by hand", () => {
    const { actions, diagnostics } = planOutputs(
      files({ "main.circuit.tf": generated("b\n") }),
      files({ "main.circuit.tf": `${generated("a\n")}# mine\n` }),
    );
    expect(actions).toEqual([]);
    expect(diagnostics).toMatchObject([
      { severity: "error", summary: "main.circuit.tf was changed by hand" },
    ]);
    expect(diagnostics[0]!.detail).toContain("main.circuit.hcl");
  });

  it("refuses to overwrite a file that is not ours", () => {
    const { actions, diagnostics } = planOutputs(
      files({ "main.circuit.tf": generated("b\n") }),
      files({ "main.circuit.tf": "locals {}\n" }),
    );
    expect(actions).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "error", summary: "main.circuit.tf is in the way" }]);
  });

  it("removes the outputs of circuit files that are gone, in both formats, and nobody else's", () => {
    const { actions, diagnostics } = planOutputs(
      files({}),
      files({
        "a.circuit.tf": generated("a\n", "a.circuit.hcl"),
        "b.circuit.tf.json": withJsonHeader("b.circuit.hcl", { locals: {} }),
        "conn3x_override.tf": generated("terraform {}\n", "the circuit files"),
        "own.circuit.tf": "locals {}\n",
        "copy.tf": generated("a\n"),
      }),
    );
    expect(actions).toEqual([
      { action: "remove", name: "a.circuit.tf" },
      { action: "remove", name: "b.circuit.tf.json" },
      { action: "remove", name: "conn3x_override.tf" },
    ]);
    expect(diagnostics).toEqual([]);
  });

  it("keeps a stale output that was changed by hand", () => {
    const { actions, diagnostics } = planOutputs(
      files({}),
      files({ "a.circuit.tf": `${generated("a\n", "a.circuit.hcl")}# mine\n` }),
    );
    expect(actions).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "error", summary: "a.circuit.tf was changed by hand" }]);
  });
});

describe("writing outputs", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "conn3x-outputs-"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it("writes, removes, and has nothing to do the second time", async () => {
    await writeFile(join(directory, "old.circuit.tf"), generated("a\n", "old.circuit.hcl"));
    await writeFile(join(directory, "own.tf"), "locals {}\n");
    const outputs = files({ "main.circuit.tf": generated("b\n") });
    const first = await writeOutputs(directory, outputs);
    expect(first.actions.map(({ action, name }) => [action, name])).toEqual([
      ["write", "main.circuit.tf"],
      ["remove", "old.circuit.tf"],
    ]);
    expect((await readdir(directory)).sort()).toEqual(["main.circuit.tf", "own.tf"]);
    expect(await readFile(join(directory, "main.circuit.tf"), "utf8")).toBe(generated("b\n"));
    expect(await checkOutputs(directory, outputs)).toEqual({ actions: [], diagnostics: [] });
  });

  it("touches nothing when one file is in the way", async () => {
    await writeFile(join(directory, "b.circuit.tf"), "locals {}\n");
    const { actions, diagnostics } = await writeOutputs(
      directory,
      files({ "a.circuit.tf": generated("a\n"), "b.circuit.tf": generated("b\n") }),
    );
    expect(actions).toEqual([]);
    expect(diagnostics).toHaveLength(1);
    expect(await readdir(directory)).toEqual(["b.circuit.tf"]);
  });

  it("says so when the directory is not there", async () => {
    const missing = join(directory, "missing");
    const { diagnostics } = await writeOutputs(missing, files({}));
    expect(diagnostics).toMatchObject([{ severity: "error", summary: `Cannot read ${missing}` }]);
  });
});

describe("outputs that are no plain files", () => {
  let directory: string;
  const path = (name: string) => join(directory, name);
  const outputs = files({ "main.circuit.tf": generated("new\n") });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "conn3x-odd-outputs-"));
  });

  afterEach(() => rm(directory, { recursive: true }));

  it("are written through a link, which stays", async () => {
    await mkdir(path("real"));
    await writeFile(path("real/x"), generated("old\n"));
    await symlink("real/x", path("main.circuit.tf"));
    expect((await writeOutputs(directory, outputs)).diagnostics).toEqual([]);
    expect((await lstat(path("main.circuit.tf"))).isSymbolicLink()).toBe(true);
    expect(await readFile(path("real/x"), "utf8")).toBe(outputs.get("main.circuit.tf"));
  });

  it("are written where the old one is read-only, and stay so", async () => {
    await writeFile(path("main.circuit.tf"), generated("old\n"), { mode: 0o444 });
    expect((await writeOutputs(directory, outputs)).diagnostics).toEqual([]);
    expect((await stat(path("main.circuit.tf"))).mode & 0o777).toBe(0o444);
    expect(await readFile(path("main.circuit.tf"), "utf8")).toBe(outputs.get("main.circuit.tf"));
  });

  it.each([
    ["a link to nothing", () => symlink("nowhere", path("main.circuit.tf")), "no such file"],
    ["a link to itself", () => symlink("main.circuit.tf", path("main.circuit.tf")), "symbolic links"],
    ["a directory", () => mkdir(path("main.circuit.tf")), "a directory"],
    ["a device", () => symlink("/dev/zero", path("main.circuit.tf")), "no regular file"],
  ])("are an error: %s", async (_, make, why) => {
    await make();
    const { actions, diagnostics } = await writeOutputs(directory, outputs);
    expect(actions).toEqual([]);
    expect(diagnostics).toMatchObject([
      { severity: "error", summary: `Cannot read ${path("main.circuit.tf")}` },
    ]);
    expect(diagnostics[0]!.detail).toContain(why);
  });

  it.skipIf(process.getuid?.() === 0)("are an error where they may not be read", async () => {
    await writeFile(path("main.circuit.tf"), generated("old\n"), { mode: 0 });
    expect((await checkOutputs(directory, outputs)).diagnostics[0]?.detail).toMatch(/^Permission denied\. /);
  });
});
