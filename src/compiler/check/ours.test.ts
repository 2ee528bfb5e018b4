import { expect, it } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { parseExpression } from "../../hcl/parse/parse.ts";
import { isOurs } from "./ours.ts";

const parse = (text: string) => parseExpression(new SourceFile("x", text)).expression;

it.each<[text: string, locals: Readonly<Record<string, string>>, ours: boolean]>([
  ["conn3x_file.a.path", {}, true],
  ["aws_instance.a.ip", {}, false],
  ["local.x", { x: "conn3x_file.a.path" }, true],
  ["local.x", { x: "local.y", y: "conn3x_file.a.path" }, true],
  // A variable that is called as a local value is: nothing to do with that.
  ["var.x", { x: "conn3x_file.a.path" }, false],
  ["local.x", { x: "var.y", y: "conn3x_file.a.path" }, false],
  // Nor has what a for hides, nor one that needs itself.
  ["[for local in [1] : local.x]", { x: "conn3x_file.a.path" }, false],
  ["local.x", { x: "local.x" }, false],
])("%s with %j: %s", (text, locals, ours) => {
  const values = new Map(Object.entries(locals).map(([name, value]) => [name, parse(value)]));
  expect(isOurs(parse(text), values)).toBe(ours);
});
