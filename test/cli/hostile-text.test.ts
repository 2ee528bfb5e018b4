/**
 * Names, values and texts that would control a terminal, in everything that comes from elsewhere: a state, a checkout's files
 * and their names. Whatever is shown to people has them in a visible form.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bundleProgram, type Program } from "./program.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Sets a title, clears the screen in both forms, hides text, and turns the direction of writing. */
const evil = "\x1b]0;x\x07\x1b[2J\u009b2J\x1b[8m\u202e";
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const steering = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/;

let program: Program;
let folder: string;
beforeAll(async () => {
  program = await bundleProgram();
  folder = mkdtempSync(join(tmpdir(), "conn3x-hostile-text-"));
  mkdirSync(join(folder, "files"));
  const name = `n${evil}.circuit.hcl`;
  writeFileSync(join(folder, "files", name), `# ${evil}\nvariable "a"   {}\n`);
  writeFileSync(join(folder, name), `# ${evil}\nvariable "a" {\n  default = 1\n}\nlocals {\n  x = 1 +\n}\n`);
  writeFileSync(join(folder, "terraform.tfstate"), JSON.stringify(state()));
});
afterAll(() => {
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const state = () => ({
  version: 4,
  terraform_version: "1.9.0",
  serial: 1,
  lineage: "hostile",
  outputs: { [`o${evil}`]: { value: evil, type: "string" } },
  resources: [
    {
      mode: "managed",
      type: "conn3x_file",
      name: "web__a",
      provider: 'provider["registry.opentofu.org/conn3x/conn3x"]',
      instances: [evil, "__proto__", "constructor"].map((key) => ({
        index_key: key,
        schema_version: 0,
        attributes: {
          id: evil,
          path: `/tmp/${evil}`,
          content: evil,
          revision: evil,
          ["__proto__"]: { polluted: 1 },
        },
      })),
    },
  ],
});

const circuit = `circuit "web" {
  hosts = { h = { address = "127.0.0.1", port = 9 } }
  step "a" {
    file {
      path    = "/tmp/x"
      content = "x"
    }
  }
}
`;

test.each([
  ["show"],
  ["show", "-json"],
  ["output"],
  ["output", "-json"],
  ["state", "list"],
  ["state", "show", 'conn3x_file.web__a["constructor"]'],
  ["state", "rm", "-dry-run", "conn3x_file.web__a"],
  ["state", "mv", "-dry-run", "conn3x_file.web__a", "conn3x_file.web__b"],
  ["plan", "-refresh=false"],
  ["plan"],
  ["plan", "-json"],
  ["drift"],
  ["drift", "-json"],
  ["validate"],
  ["validate", "-json"],
  ["compile", "-check"],
])("conn3x %s %s shows nothing that controls a terminal", async (...args) => {
  for (const broken of [true, false]) {
    const cwd = mkdtempSync(join(folder, "run-"));
    writeFileSync(join(cwd, "terraform.tfstate"), JSON.stringify(state()));
    writeFileSync(join(cwd, "main.circuit.hcl"), circuit);
    if (broken) writeFileSync(join(cwd, `n${evil}.circuit.hcl`), `locals {\n  x = 1 + # ${evil}\n}\n`);
    const { stdout, stderr } = await program.run(args, { cwd });
    expect(`${stdout}${stderr}`).not.toBe("");
    expect(`${stdout}${stderr}`).not.toMatch(steering);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  }
});

test("conn3x fmt neither, of names and contents of files", async () => {
  const { stdout, stderr } = await program.run(["fmt", "-check", "-diff"], { cwd: join(folder, "files") });
  expect(stdout).toContain('variable "a" {}');
  expect(`${stdout}${stderr}`).not.toMatch(steering);
});

test("what is for programs is as it is", async () => {
  const { stdout } = await program.run(["output", "-raw", `o${evil}`], { cwd: folder });
  expect(stdout).toBe(evil);
});
