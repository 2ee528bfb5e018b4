/**
 * Circuits in modules are chosen with an engine as without one: by circuit, step, host and address, in a module, in one of
 * several instances of a module, and in a module of a module.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleProgram, type Outcome, type Program } from "../cli/program.ts";
import { findEngines, titled } from "./engine.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

let program: Program;
let directory: string;
const write = (name: string, text: string): void => {
  mkdirSync(join(directory, name, ".."), { recursive: true });
  writeFileSync(join(directory, name), text);
};
const file = (name: string): string => join(directory, "made", name);

beforeAll(async () => {
  program = await bundleProgram();
  directory = mkdtempSync(join(tmpdir(), "conn3x-engine-selection-"));
});
afterAll(() => {
  program?.remove();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

const circuit = (name: string, path: string, hosts = "h1") => `circuit "${name}" {
  hosts = { ${hosts} = "${hosts}" }
  ssh {
    transport = "local"
  }
  step "note" {
    file {
      path    = "${path}"
      content = "as configured"
    }
  }
}
`;
const variable = 'variable "name" {\n  type = string\n}\n';

/** What is made, by the file's name: where it is. */
const made = ["root", "one", "one-other", "east", "west", "inner"];

const choices: readonly (readonly string[])[] = [
  ["-circuit=site"],
  ["-circuit=module.one.site"],
  ['-circuit=module.each["east"].site'],
  ["-circuit=module.outer.module.inner.deep"],
  ["-step=note"],
  ["-limit=h2"],
  ["-circuit=site", "-limit=h2"],
  ["-circuit=top", "-limit=h2"],
  ["-target=module.one"],
  ['-target=module.each["west"]'],
  ['-target=module.outer.module.inner.conn3x_file.deep__note["h2"]'],
  ["-target=module.one", "-circuit=other"],
  ["-circuit=nosuch"],
  ["-circuit=site", "-refresh-only"],
];

/** Instances have the order of the plan, or of the state. */
const inAnyOrder = ({ stdout, ...rest }: Outcome) => ({
  ...rest,
  lines: stdout
    .replace(/"[0-9a-f]{16}"/g, "REVISION")
    .split("\n")
    .sort(),
});

/** What comes of each choice without an engine: the same for all. */
const embedded = new Map<readonly string[], ReturnType<typeof inAnyOrder>>();

describe.each(titled(findEngines()))("%s", (_, { program: engine }) => {
  const run = (where: string, ...args: readonly string[]) =>
    program.run(args, { cwd: where, env: { TF_CLI_CONFIG_FILE: "/dev/null" } });

  test("the same part with and without the engine", async () => {
    write("main.circuit.hcl", circuit("top", file("root")));
    write(
      "modules.tf",
      `module "one" {
  source = "./one"
}
module "each" {
  source   = "./each"
  for_each = toset(["east", "west"])
  name     = each.key
}
module "outer" {
  source = "./outer"
}
`,
    );
    write("one/site.circuit.hcl", circuit("site", file("one")) + circuit("other", file("one-other"), "h2"));
    write("each/site.circuit.hcl", variable + circuit("site", file("${var.name}")));
    write("outer/main.tf", 'module "inner" {\n  source = "../inner"\n}\n');
    write("inner/deep.circuit.hcl", circuit("deep", file("inner"), "h2"));
    mkdirSync(join(directory, "made"), { recursive: true });
    const applied = await run(directory, "apply", "-auto-approve", `-engine=${engine}`);
    expect(applied.status, applied.stdout + applied.stderr).toBe(0);
    for (const name of made) writeFileSync(file(name), "by hand");

    const differing: string[] = [];
    const compare = async (choice: readonly string[]): Promise<void> => {
      const copy = mkdtempSync(join(tmpdir(), "conn3x-engine-selection-"));
      try {
        cpSync(directory, copy, { recursive: true });
        const command = ["plan", "-detailed-exitcode", ...choice];
        const expected = embedded.get(choice) ?? inAnyOrder(await run(copy, ...command));
        embedded.set(choice, expected);
        const found = inAnyOrder(await run(copy, ...command, `-engine=${engine}`));
        expect({ choice, ...found }).toEqual({ choice, ...expected });
        if (expected.status === 2) differing.push(choice.join(" "));
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    };
    const rest = [...choices];
    const worker = async (): Promise<void> => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) await compare(next);
    };
    await Promise.all([worker(), worker(), worker()]);
    // All of them find something to put back, but where nothing fits both names, or a name.
    const nothing = choices.map((choice) => choice.join(" ")).filter((choice) => !differing.includes(choice));
    expect(nothing).toEqual(["-circuit=site -limit=h2", "-circuit=top -limit=h2", "-circuit=nosuch"]);
    const drift = await run(directory, "drift", "-circuit=site", `-engine=${engine}`);
    expect(drift.status, drift.stdout + drift.stderr).toBe(2);
    expect(drift.stdout.match(/conn3x_file\.\w+/g)?.length).toBeGreaterThanOrEqual(1);
    expect(drift.stdout).not.toMatch(/other__note|deep__note|top__note/);
  });
});
