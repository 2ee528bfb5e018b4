/** Programs that are there, are not, or are something else. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { chosenEngine, findProgram } from "./program.ts";

const directory = mkdtempSync(join(tmpdir(), "conn3x-program-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function program(name: string, script: string): string {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const problemOf = (engine: string) => {
  const found = findProgram(engine);
  return "problem" in found ? found.problem : undefined;
};

describe("chosenEngine", () => {
  test("the option goes before the variable, and nothing means the built-in engine", () => {
    expect(chosenEngine(undefined, {})).toBeUndefined();
    expect(chosenEngine("embedded", { CONN3X_ENGINE: "tofu" })).toBeUndefined();
    expect(chosenEngine(undefined, { CONN3X_ENGINE: "embedded" })).toBeUndefined();
    expect(chosenEngine(undefined, { CONN3X_ENGINE: "" })).toBeUndefined();
    expect(chosenEngine(undefined, { CONN3X_ENGINE: "tofu" })).toBe("tofu");
    expect(chosenEngine("terraform", { CONN3X_ENGINE: "tofu" })).toBe("terraform");
  });
});

describe("findProgram", () => {
  test("asks without what the user has for other commands", () => {
    vi.stubEnv("TF_CLI_ARGS", "-input=false");
    vi.stubEnv("TF_REATTACH_PROVIDERS", "{");
    onTestFinished(() => void vi.unstubAllEnvs());
    const script = '[ -z "${TF_CLI_ARGS+x}${TF_REATTACH_PROVIDERS+x}" ] && echo "OpenTofu v1.12.6"';
    expect(problemOf(program("bare", script))).toBeUndefined();
  });

  test("asks again when ^C has ended the answer", () => {
    const script = '[ -e "$0.asked" ] || { touch "$0.asked"; kill -INT $$; }\necho "OpenTofu v1.12.6"';
    expect(problemOf(program("interrupted", script))).toBeUndefined();
  });

  test("knows both by what they say of themselves, whatever they are called", () => {
    const tofu = program("a", 'test "$1" = version && echo "OpenTofu v1.12.6" && echo "on linux_amd64"');
    expect(findProgram(tofu)).toEqual({
      program: { path: tofu, product: "OpenTofu", version: "1.12.6" },
    });
    const terraform = program("b", 'echo "Terraform v2.0.0-beta1"');
    expect(findProgram(terraform)).toEqual({
      program: { path: terraform, product: "Terraform", version: "2.0.0-beta1" },
    });
  });

  test("does not let Terraform ask its maker for news", () => {
    const path = program("c", 'test "$CHECKPOINT_DISABLE" = 1 && echo "Terraform v1.11.4"');
    expect(problemOf(path)).toBeUndefined();
  });

  test("finds the version behind warnings", () => {
    expect(
      problemOf(program("d", 'echo; echo "Warning: something"; echo; echo "OpenTofu v1.13.0"')),
    ).toBeUndefined();
  });

  test("refuses what is too old, with the oldest that will do", () => {
    const old = problemOf(program("e", 'echo "OpenTofu v1.11.9"'));
    expect(old?.summary).toBe("OpenTofu is too old");
    expect(old?.detail).toContain("1.11.9");
    expect(old?.detail).toContain("OpenTofu 1.12 and newer");
    expect(problemOf(program("f", 'echo "Terraform v0.15.5"'))?.summary).toBe("Terraform is too old");
  });

  test("says what is missing and what is something else", () => {
    expect(problemOf("conn3x-no-such-engine")?.detail).toContain(
      "no program conn3x-no-such-engine on the PATH",
    );
    expect(problemOf(join(directory, "none"))?.detail).toContain(`no program ${directory}/none.`);
    expect(problemOf(program("g", "echo hello; exit 3"))?.detail).toContain('it said "hello"');
    writeFileSync(join(directory, "h"), "", { mode: 0o644 });
    expect(problemOf(join(directory, "h"))?.summary).toBe("Engine cannot be started");
  });
});
