import { describe, expect, it } from "vitest";
import { isOverride, sourceForm, sourceNames } from "./source-set.ts";

describe("files of a configuration", () => {
  it.each([
    ["main.circuit.hcl", "circuit"],
    ["deep/er/main.circuit.hcl", "circuit"],
    ["main.tf", "tofu"],
    ["main.tofu", "tofu"],
    ["main.tf.json", "tofu"],
    ["main.tofu.json", "tofu"],
    ["main.circuit.hcl.json", "circuit"],
    ["package.json", undefined],
    ["main.hcl", undefined],
    ["main.tfvars", undefined],
    [".main.tf", undefined],
    [".#main.tf", undefined],
    ["#main.tf#", undefined],
    ["main.tf~", undefined],
    ["deep/.main.tf", undefined],
  ])("%s is %s", (name, form) => {
    expect(sourceForm(name)).toBe(form);
  });

  it("prefers .tofu to .tf, in HCL and in JSON, and sorts", () => {
    expect(
      sourceNames(["z.tf", "a.tf", "a.tofu", "b.tf.json", "b.tofu.json", "c.tf", "c.tofu.json", "README.md"]),
    ).toEqual(["a.tofu", "b.tofu.json", "c.tf", "c.tofu.json", "z.tf"]);
  });

  it.each([
    ["override.tf", true],
    ["a_override.tf", true],
    ["a_override.tofu.json", true],
    ["overrides.tf", false],
    ["my-override.tf", false],
  ])("%s is an override: %s", (name, expected) => {
    expect(isOverride(name)).toBe(expected);
  });
});
