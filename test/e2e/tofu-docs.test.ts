/**
 * Every command of `docs/opentofu.md`, as it stands there and in its order, for each engine that is here.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { type Engine, findEngines } from "../engines/engine.ts";
import { describeLab, labHosts } from "../lab/for-tests.ts";
import { run } from "../lab/run.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/opentofu.md"), "utf8");
const blocks = [...page.matchAll(/^```sh\n(?<text>.*?)^```$/gms)].map(({ groups }) => groups?.text ?? "");

/** `$HOME` with Conn3x's directory in it, a directory with a circuit, and the commands on the PATH. */
function prepare(home: string, engine: Engine, circuit: string): void {
  const product = join(home, "conn3x");
  for (const part of ["package.json", "tsconfig.json", "scripts", "src", "provider"])
    cpSync(join(root, part), join(product, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(product, "node_modules"));
  mkdirSync(join(home, "bin"));
  const command = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(join(root, "dist/conn3x.cjs"))} "$@"\n`;
  writeFileSync(join(home, "bin/conn3x"), command, { mode: 0o755 });
  // One that was found by its name is on the PATH already.
  if (engine.program.includes("/")) symlinkSync(engine.program, join(home, "bin", engine.name));
  mkdirSync(join(home, "circuits"));
  writeFileSync(join(home, "circuits/main.circuit.hcl"), circuit);
}

/** The blocks as one script; what concerns Conn3x's own directory is done there. */
function script(engine: Engine): string {
  const steps = blocks.map((block) => {
    const directory = block.startsWith("npm ") ? "conn3x" : "circuits";
    return `cd "$HOME/${directory}"\n${block}`;
  });
  const text = steps.join("\n");
  // The page: say `terraform` for `tofu`.
  return `set -eu\n${engine.name === "tofu" ? text : text.replace(/\btofu\b/g, engine.name)}`;
}

describeLab("docs/opentofu.md", () => {
  const lab = labHosts(1);

  test("has commands", () => expect(blocks.length).toBeGreaterThan(4));

  for (const engine of findEngines()) {
    test(`works as written with ${engine.name} ${engine.version}`, { timeout: 180_000 }, async () => {
      const [host] = lab.hosts;
      const home = mkdtempSync(join(tmpdir(), "conn3x-docs-"));
      try {
        prepare(
          home,
          engine,
          `circuit "web" {
  hosts = { ${host!.name} = { address = "${host!.address}", host_key = "${host!.hostKey}" } }
  ssh {
    user             = "root"
    private_key_file = "${lab.lab.keyFile}"
    agent            = false
  }
  step "note" {
    file {
      path    = "/srv/note"
      content = "hello"
    }
  }
}
`,
        );
        const path = [join(home, "bin"), process.env.PATH].join(delimiter);
        const { status, stdout, stderr } = await run([
          "env",
          ...["-u", "TF_CLI_CONFIG_FILE", `HOME=${home}`, `PATH=${path}`, "NO_COLOR=1"],
          ...["bash", "-c", script(engine)],
        ]);
        expect(status, stdout + stderr).toBe(0);
        expect(stdout).toContain("Apply complete! 1 created");
        expect(stdout).toContain("successfully initialized");
        expect(stdout).toContain('"address":"conn3x_file.web__note');
        expect(stdout).toContain("Destroy complete! Resources: 1 destroyed.");
        expect((await host!.exec("test -e /srv/note")).status).toBe(1);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    });
  }
});
