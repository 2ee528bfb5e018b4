import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emitHcl } from "../emit/hcl.ts";
import { emitJson } from "../emit/json.ts";
import { emitTree } from "../emit/tree.ts";
import type { Configuration } from "../model.ts";
import { withHeader, withJsonHeader } from "../outputs/generated.ts";
import { writeOutputs } from "../outputs/write-outputs.ts";
import { testKinds } from "../testing/kinds.ts";
import { loadConfiguration } from "./load.ts";

const circuit = (name: string) =>
  `circuit "${name}" {\n  hosts = { h = "10.0.0.1" }\n  step "s" {\n    file {\n      path = "/a"\n    }\n  }\n}\n`;

describe("loading a directory", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "conn3x-load-"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const load = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), text);
    }
    return loadConfiguration(directory, { kinds: testKinds });
  };

  it("takes circuit files and OpenTofu files together, by name", async () => {
    const configuration = await load({
      "b.circuit.hcl": circuit("web"),
      "a.tf": 'variable "x" {\n}\n',
      "c.tofu": "locals {\n  y = 1\n}\n",
      "notes.txt": "not ours {",
    });
    expect(configuration.diagnostics).toEqual([]);
    expect(configuration.directory).toBe(directory);
    expect(configuration.files.map((file) => file.name)).toEqual(
      ["a.tf", "b.circuit.hcl", "c.tofu"].map((name) => join(directory, name)),
    );
    expect(configuration.resources.map((resource) => resource.address)).toEqual(["conn3x_file.web__s"]);
    expect([...configuration.variables.keys()]).toEqual(["x"]);
    expect([...configuration.locals.keys()]).toEqual(["conn3x_web_hosts", "y"]);
  });

  it("reads JSON as it reads HCL", async () => {
    const configuration = await load({
      "main.circuit.hcl.json": JSON.stringify({
        circuit: {
          web: { hosts: { h: "10.0.0.1" }, step: { s: { file: { path: "/srv/${host.name}" } } } },
        },
      }),
      "vars.tf.json": JSON.stringify({ variable: { x: { default: 1 } } }),
      "main.circuit.tf.json": withJsonHeader("main.circuit.hcl.json", { locals: {} }),
    });
    expect(configuration.diagnostics).toEqual([]);
    expect(configuration.resources.map((resource) => resource.address)).toEqual(["conn3x_file.web__s"]);
    expect([...configuration.variables.keys()]).toEqual(["x"]);
  });

  it("skips the compiler's own outputs", async () => {
    const configuration = await load({
      "main.circuit.hcl": circuit("web"),
      "main.circuit.tf": withHeader("main.circuit.hcl", 'resource "conn3x_file" "web__s" {\n}\n'),
      "conn3x_override.tf": withHeader("the circuit files", "terraform {\n}\n"),
    });
    expect(configuration.diagnostics).toEqual([]);
    expect(configuration.files).toHaveLength(1);
  });

  it("warns of an output that was changed by hand", async () => {
    const configuration = await load({
      "main.circuit.hcl": circuit("web"),
      "main.circuit.tf": `${withHeader("main.circuit.hcl", "locals {\n}\n")}# mine\n`,
    });
    const name = join(directory, "main.circuit.tf");
    expect(configuration.diagnostics).toMatchObject([
      { severity: "warning", summary: `${name} was changed by hand` },
    ]);
  });

  it("gives the same again when its outputs are there", async () => {
    for (const emit of [emitHcl, emitJson]) {
      const first = emit(await load({ "main.circuit.hcl": circuit("web") }));
      const { actions } = await writeOutputs(directory, first);
      expect(actions.length).toBeGreaterThanOrEqual(2);
      const second = emit(await load({}));
      expect(second).toEqual(first);
      expect(await writeOutputs(directory, second)).toEqual({ actions: [], diagnostics: [] });
    }
  });

  it("counts the byte order mark among a file's bytes", async () => {
    const { diagnostics } = await load({ "main.tf": '\ufeffoutput "x" {\n  value = var.nope\n}\n' });
    const { file, start } = diagnostics[0]!.range!;
    // As a real engine gave it.
    expect(file.position(start)).toEqual({ line: 2, column: 11, byte: 26 });
  });

  it("removes a byte order mark", async () => {
    const { diagnostics, resources } = await load({ "main.circuit.hcl": `\ufeff${circuit("web")}` });
    expect(diagnostics).toEqual([]);
    expect(resources).toHaveLength(1);
  });

  it.each([
    ["nothing to read", {}, "No configuration here"],
    ["broken JSON", { "a.tf.json": "{" }, "This is not JSON"],
    [
      "override files",
      { "a_override.tf": "locals {\n}\n" },
      "Override files are not supported by this version",
    ],
  ])("says what is wrong: %s", async (_, files, summary) => {
    const { diagnostics } = await load(files as Record<string, string>);
    expect(diagnostics).toMatchObject([{ severity: "error", summary }]);
  });

  it("refuses text that is not UTF-8", async () => {
    const { diagnostics } = await load({ "a.tf": new Uint8Array([0x23, 0xff, 0xfe]) });
    expect(diagnostics).toMatchObject([{ severity: "error", detail: "It is not text in UTF-8." }]);
  });

  it("says so when the directory is not there", async () => {
    const { diagnostics } = await loadConfiguration(join(directory, "missing"), { kinds: testKinds });
    expect(diagnostics).toMatchObject([
      { severity: "error", summary: `Cannot read ${join(directory, "missing")}` },
    ]);
  });

  it("refuses a circuit in a file that OpenTofu reads", async () => {
    const { diagnostics } = await load({ "main.tf": circuit("web") });
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["A circuit in a file of OpenTofu"]);
  });

  describe("with modules", () => {
    const call = (name: string, source: string, more = "") =>
      `module "${name}" {\n  source = "${source}"\n${more}}\n`;
    const summaries = (configuration: Configuration) =>
      configuration.diagnostics.map(({ summary }) => summary);

    it("compiles the circuits of a local module, with outputs for its own directory", async () => {
      const configuration = await load({
        "main.circuit.hcl": `${circuit("base")}${call("web", "./modules/web", '  name = "x"\n')}`,
        "modules/web/web.circuit.hcl": `variable "name" {\n}\n${circuit("web")}${call("inner", "../inner")}`,
        "modules/inner/main.tf": 'output "y" {\n  value = 1\n}\n',
      });
      expect(configuration.diagnostics).toEqual([]);
      const web = configuration.modules.get("web")!;
      expect(web).toMatchObject({ name: "web", source: "./modules/web", dependsOn: [] });
      expect([...web.inputs.keys()]).toEqual(["name"]);
      expect(web.configuration!.resources.map(({ address }) => address)).toEqual(["conn3x_file.web__s"]);
      expect(
        emitTree(configuration, emitHcl).map(({ directory: at, outputs }) => [at, [...outputs.keys()]]),
      ).toEqual([
        ["", ["main.circuit.tf", "conn3x_override.tf"]],
        [join("modules", "web"), ["web.circuit.tf", "conn3x_override.tf"]],
        [join("modules", "inner"), []],
      ]);
    });

    it("loads a module once that is called twice", async () => {
      const configuration = await load({
        "main.tf": call("a", "./m") + call("b", "./m/../m"),
        "m/main.tf": "bad {\n}\n",
      });
      expect(configuration.modules.get("a")!.configuration).toBe(
        configuration.modules.get("b")!.configuration,
      );
      expect(summaries(configuration)).toEqual(['Unknown block "bad"']);
      expect(configuration.diagnostics[0]!.range!.file.name).toBe(join(directory, "m", "main.tf"));
    });

    it("leaves modules from elsewhere alone", async () => {
      const configuration = await load({
        "main.tf": call("a", "git::https://example.org/a.git", "  x = 1\n"),
      });
      expect(configuration.diagnostics).toEqual([]);
      expect(configuration.modules.get("a")!.configuration).toBeUndefined();
    });

    it.each<[string, Readonly<Record<string, string>>, string]>([
      ["is not there", { "main.tf": call("a", "./m") }, "The module is not there"],
      [
        "contains itself",
        { "main.tf": call("a", "./m"), "m/main.tf": call("b", "../n"), "n/main.tf": call("a", "../m") },
        "A module cannot contain itself",
      ],
      ["has no source", { "main.tf": 'module "a" {\n}\n' }, 'Module "a" has no source'],
      [
        "has no such variable",
        { "main.tf": call("a", "./m", "  nmae = 1\n"), "m/main.tf": 'variable "name" {\n  default = 1\n}\n' },
        'Module "a" has no variable "nmae"',
      ],
      [
        "needs a variable",
        { "main.tf": call("a", "./m"), "m/main.tf": 'variable "name" {\n}\n' },
        'Module "a" needs "name"',
      ],
      [
        "has no such output",
        {
          "main.tf": `${call("a", "./m")}locals {\n  x = module.a.adress\n}\n`,
          "m/main.tf": 'output "address" {\n  value = 1\n}\n',
        },
        'Module "a" has no output "adress"',
      ],
      [
        "has instances",
        {
          "main.tf": `${call("a", "./m", "  count = 2\n")}locals {\n  x = module.a.address\n}\n`,
          "m/main.tf": 'output "address" {\n  value = 1\n}\n',
        },
        "module.a needs an instance's key",
      ],
      ["is not declared", { "main.tf": "locals {\n  x = module.a.y\n}\n" }, 'There is no module "a"'],
    ])("says that one %s", async (_, files, summary) => {
      const configuration = await load(files);
      expect(summaries(configuration)).toEqual([summary]);
      expect(configuration.diagnostics[0]!.range).toBeDefined();
    });
  });
});
