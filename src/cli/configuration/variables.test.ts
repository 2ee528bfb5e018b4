import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collectVariables } from "./variables.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-variables-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

const put = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

const collect = (lists: readonly (readonly ["var" | "var-file", string])[] = [], environment = {}) =>
  collectVariables(
    directory,
    environment,
    lists.map(([name, value]) => ({ name, value })),
  );

/** Name and text of each, in order. */
const texts = (given: ReturnType<typeof collect>): string[] =>
  given.inputs.map(({ name, text }) => `${name}: ${text}`);

describe("collectVariables", () => {
  it("takes OpenTofu's places in OpenTofu's order", () => {
    put("b.auto.tfvars", "x = 5\n");
    put("a.auto.tfvars.json", '{"x": 4}');
    put("terraform.tfvars", "x = 2\n");
    put("terraform.tfvars.json", '{"x": 3}');
    put("other.tfvars", "x = 99\n");
    const file = put("given.tfvars", "x = 7\n");
    const given = collect(
      [
        ["var", "x=6"],
        ["var-file", file],
        ["var", "x=8"],
      ],
      { TF_VAR_x: "1", HOME: "/" },
    );
    expect(texts(given)).toEqual(["x: 1", "x: 2", "x: 3", "x: 4", "x: 5", "x: 6", "x: 7", "x: 8"]);
    expect(given.diagnostics).toEqual([]);
  });

  it("tells text from expressions", () => {
    put("terraform.tfvars", 'name = "a"\nlist = [\n  1, # one\n  2,\n]\n');
    const { inputs } = collect([["var", "name=b = c"]]);
    expect(inputs.map(({ name, text, form }) => [name, text, form])).toEqual([
      ["name", '"a"', "expression"],
      ["list", "[\n  1, # one\n  2,\n]", "expression"],
      ["name", "b = c", undefined],
    ]);
  });

  it("makes HCL of JSON", () => {
    put("terraform.tfvars.json", String.raw`{"a": "x\b\f\\b\"${"$"}{y}", "b": {"c": [1, null, true]}}`);
    expect(texts(collect())).toEqual([
      String.raw`a: "x\u0008\u000c\\b\"$${"$"}{y}"`,
      'b: {"c"=[1,null,true]}',
    ]);
  });

  it.each<[string, string, string]>([
    ["terraform.tfvars", 'variable "x" {}\n', "Block in a variables file"],
    ["terraform.tfvars.json", "[1]", "Variables file is not a JSON object"],
    ["terraform.tfvars.json", "{", "This is not JSON"],
    ["terraform.tfvars.json", '{"x": 1, "x": 2}', "Attribute set twice"],
  ])("complains about %s with %j", (name, text, summary) => {
    put(name, text);
    expect(collect().diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([summary]);
  });

  it("keeps all digits of JSON's numbers, and leaves its comments out", () => {
    put("terraform.tfvars.json", '{"//": "why", "x": 12345678901234567890.5, "y": 1e400}');
    expect(texts(collect())).toEqual(["x: 12345678901234567890.5", "y: 1e400"]);
  });

  it("knows where in its file a value is written", () => {
    put("terraform.tfvars", "\uFEFFx = 1\ny = [\n  2\n]\n");
    put("a.auto.tfvars.json", '{\n  "z": {"a": 1}\n}');
    const places = collect().inputs.map(({ name, range }) => [
      name,
      range?.file.position(range.start),
      range?.file.text.slice(range.start, range.end),
    ]);
    expect(places).toEqual([
      ["x", { line: 1, column: 5, byte: 7 }, "1"],
      ["y", { line: 2, column: 5, byte: 13 }, "[\n  2\n]"],
      ["z", { line: 2, column: 8, byte: 9 }, '{"a": 1}'],
    ]);
  });

  it("keeps what it understands of a file with mistakes, and knows that there may be more", () => {
    put("terraform.tfvars", "x = 1\ny = [,]\nblock {\n}\nz = 3\n");
    const { inputs, incomplete } = collect();
    expect(inputs.map(({ name, form }) => [name, form])).toEqual([
      ["x", "expression"],
      ["y", "broken"],
      ["z", "expression"],
    ]);
    expect(incomplete).toBe(true);
    put("terraform.tfvars", "x = 1\nblock {\n}\n");
    expect(collect().incomplete).toBe(false);
    put("terraform.tfvars.json", "{");
    expect(collect().incomplete).toBe(true);
  });

  it("takes no file for text that is none", () => {
    writeFileSync(join(directory, "terraform.tfvars"), Buffer.from([0x78, 0x3d, 0x22, 0xff, 0x22]));
    expect(collect().diagnostics.map(({ detail }) => detail)).toEqual(["It is not text in UTF-8."]);
  });

  it("does not fail where the directory cannot be listed: the configuration says so", () => {
    const missing = join(directory, "missing");
    expect(collectVariables(missing, {}, [])).toEqual({ inputs: [], diagnostics: [], incomplete: false });
  });

  it("takes no space around a name for a part of it, nor the one after the equals sign for none", () => {
    for (const argument of ["x = 1", " x=1", "x =1"]) {
      const given = collect([["var", argument]]);
      expect(given.inputs).toEqual([]);
      expect(given.diagnostics.map(({ summary }) => summary)).toEqual([
        "Space around the name of a -var option",
      ]);
    }
    expect(texts(collect([["var", "x= 1=2"]]))).toEqual(["x:  1=2"]);
  });

  it("complains about what is not there, without repeating what may be a secret", () => {
    const { diagnostics } = collect([
      ["var-file", join(directory, "missing")],
      ["var", "s3cret"],
    ]);
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      `Cannot read ${join(directory, "missing")}`,
      "A -var option without a name",
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
  });
});
