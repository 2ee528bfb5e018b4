/**
 * A plan file with our entry in it is still the engine's plan: it shows the same, and applies.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readEnginePlan, saveEnginePlan } from "../../src/tofu/run/saved-run.ts";
import { findEngines, titled } from "./engine.ts";

const configuration = `
resource "terraform_data" "given" {
  input = "${"a long value ".repeat(500)}"
}
resource "terraform_data" "second" {
  triggers_replace = terraform_data.given.id
}
`;

describe.each(titled(findEngines()))("%s", (_, { program }) => {
  const directory = mkdtempSync(join(tmpdir(), "conn3x-plan-file-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const engine = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: directory,
      encoding: "utf8",
      env: {
        ...process.env,
        TF_CLI_CONFIG_FILE: "/dev/null",
        CHECKPOINT_DISABLE: "1",
        TF_IN_AUTOMATION: "1",
      },
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
    return stdout;
  };

  test("is shown and applied with what we added", async () => {
    writeFileSync(join(directory, "main.tf"), configuration);
    engine("init", "-no-color");
    engine("plan", "-no-color", "-out=theirs");
    const facts = { mode: "normal", reasons: "why ".repeat(1000), diagnostics: [] } as never;
    expect(await saveEnginePlan(join(directory, "theirs"), join(directory, "ours"), facts)).toEqual([]);

    expect(readFileSync(join(directory, "ours"))).not.toEqual(readFileSync(join(directory, "theirs")));
    expect((await readEnginePlan(join(directory, "ours"))).facts).toMatchObject({ mode: "normal" });
    expect(engine("show", "-json", "ours")).toBe(engine("show", "-json", "theirs"));
    expect(engine("apply", "-no-color", "ours")).toContain("2 added");
    expect(existsSync(join(directory, "terraform.tfstate"))).toBe(true);
    expect(engine("state", "list").split("\n")).toContain("terraform_data.second");
  });
});
