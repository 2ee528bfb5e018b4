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
      'b: {"c":[1,null,true]}',
    ]);
  });

  it.each<[string, string, string]>([
    ["terraform.tfvars", 'variable "x" {}\n', "Block in a variables file"],
    ["terraform.tfvars.json", "[1]", "Variables file is no JSON object"],
    ["terraform.tfvars.json", "{", "Variables file is no JSON"],
  ])("complains about %s with %j", (name, text, summary) => {
    put(name, text);
    expect(collect().diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([summary]);
  });

  it("complains about what is not there, without repeating what may be a secret", () => {
    const { diagnostics } = collect([
      ["var-file", join(directory, "missing")],
      ["var", "s3cret"],
    ]);
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      "Variables file cannot be read",
      "A -var option without a name",
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
  });
});
