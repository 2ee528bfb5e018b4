import { describe, expect, it } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { compileFiles } from "../testing/compile-files.ts";
import { testKinds } from "../testing/kinds.ts";
import { goodStep } from "../testing/marked.ts";
import { emitHcl } from "./hcl.ts";
import { emitJson } from "./json.ts";

const circuit = (name: string, more = "") =>
  `circuit "${name}" {\n  hosts = { h = "10.0.0.1" }\n  ${more}\n  ${goodStep("s")}\n}\n`;

const compile = (files: Readonly<Record<string, string>>) =>
  compileFiles(
    Object.entries(files).map(([name, text]) => new SourceFile(`conf/${name}`, text)),
    { directory: "conf", kinds: testKinds },
  );

const configuration = compile({
  "app.circuit.hcl": circuit("app", "depends_on = [circuit.base]"),
  "base.circuit.hcl": circuit("base"),
  "main.tf": 'variable "x" {\n}\n',
});

describe("outputs of several files", () => {
  it("is a file for each circuit file, and the override", () => {
    expect(configuration.diagnostics).toEqual([]);
    expect([...emitHcl(configuration).keys()]).toEqual([
      "app.circuit.tf",
      "base.circuit.tf",
      "conn3x_override.tf",
    ]);
    expect([...emitJson(configuration).keys()]).toEqual([
      "app.circuit.tf.json",
      "base.circuit.tf.json",
      "conn3x_override.tf.json",
    ]);
  });

  it("waits for circuits of other files", () => {
    const text = emitHcl(configuration).get("app.circuit.tf")!;
    expect(text).toContain('resource "conn3x_file" "app__s" {\n');
    expect(text).toContain("  depends_on = [conn3x_file.base__s]\n");
    expect(text).not.toContain('resource "conn3x_file" "base__s"');
  });

  it("names the source without its directory", () => {
    for (const text of emitHcl(configuration).values()) expect(text).not.toContain("conf/");
    for (const text of emitJson(configuration).values()) expect(text).not.toContain("conf/");
  });

  it("ends each file with a line end", () => {
    for (const outputs of [emitHcl(configuration), emitJson(configuration)]) {
      for (const text of outputs.values()) expect(text).toMatch(/[^\n]\n$/);
    }
  });

  it("gives JSON in which blocks of one type stand together", () => {
    const text = emitJson(compile({ "a.circuit.hcl": `locals {\n  x = 1\n}\n${circuit("a")}` })).get(
      "a.circuit.tf.json",
    )!;
    const { "//": header, ...members } = JSON.parse(text) as Record<string, unknown>;
    expect(header).toHaveLength(2);
    expect(members).toEqual({
      locals: [
        { x: 1 },
        {
          "//": "a.circuit.hcl:5",
          conn3x_a_hosts: { h: { name: "h", address: "10.0.0.1", port: null, vars: {} } },
        },
      ],
      resource: {
        conn3x_file: {
          a__s: {
            "//": "a.circuit.hcl:7",
            for_each: "${local.conn3x_a_hosts}",
            path: "/srv/s",
            ssh: { address: "${each.value.address}" },
          },
        },
      },
    });
  });
});
