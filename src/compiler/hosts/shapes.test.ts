import { describe, expect, it } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { parseExpression } from "../../hcl/parse/parse.ts";
import type { Expression } from "../../hcl/tree.ts";
import { elementShape, shapeOf } from "./shapes.ts";

const parse = (text: string): Expression => {
  const { expression, diagnostics } = parseExpression(new SourceFile("x.tf", text));
  expect(diagnostics).toEqual([]);
  return expression;
};

const variable = (type?: string) => ({
  sensitive: false,
  type: type === undefined ? undefined : parse(type),
});

const values = {
  variables: new Map([
    ["text", variable("string")],
    ["texts", variable("map(string)")],
    ["hosts", variable("map(object({ address = string, port = optional(number, 22) }))")],
    ["pair", variable("object({ a = string, b = object({ address = string, user = string }) })")],
    ["maybe", variable("optional(map(string), {})")],
    ["any", variable("any")],
    ["untyped", variable()],
  ]),
  locals: new Map([
    ["texts", parse('{ a = "10.0.0.1" }')],
    ["mixed", parse('{ a = "10.0.0.1", b = { address = "10.0.0.2", user = "x" } }')],
    ["through", parse("local.mixed")],
    ["circle", parse("local.circle")],
  ]),
};

/** `text`, the attributes of objects, both, or `?` where nothing is known. */
const shown = (shape: ReturnType<typeof shapeOf>): string =>
  shape === undefined
    ? "?"
    : [...(shape.mayBeText ? ["text"] : []), ...[...shape.attributes].sort()].join(" ") || "nothing";

describe("the shape of one value", () => {
  it.each([
    ['"10.0.0.1"', "text"],
    ['"${var.any}.5"', "text"],
    ['"${var.any}"', "?"],
    ['"${var.text}"', "text"],
    ["var.text", "text"],
    ["var.any", "?"],
    ["var.untyped", "?"],
    ["var.missing", "?"],
    ["{ address = var.any, port = 22 }", "address port"],
    ["{ (var.any) = 1 }", "?"],
    ['cidrhost("10.0.0.0/24", 5)', "text"],
    ["f(1)", "?"],
    ["var.any ? var.text : { address = 1 }", "text address"],
    ["var.any ? var.any : { address = 1 }", "?"],
    ["aws_instance.web.public_ip", "text"],
    ["aws_instance.web[0].public_ip", "text"],
    ["data.aws_instance.web.public_ip", "text"],
    ["module.web.address", "?"],
    ["terraform_data.x.output", "?"],
    ["conn3x_command.web__a.stdout", "?"],
    ["aws_instance.web.tags.address", "?"],
  ])("%s", (text, expected) => {
    expect(shown(shapeOf(parse(text), values))).toBe(expected);
  });
});

describe("the shape of a map's elements", () => {
  it.each([
    ["{}", "nothing"],
    ["var.texts", "text"],
    ["var.maybe", "text"],
    ["var.hosts", "address port"],
    ["var.pair", "text address user"],
    ["var.text", "?"],
    ["local.mixed", "text address user"],
    ["local.through", "text address user"],
    ["local.circle", "?"],
    ["merge(local.texts, var.hosts)", "text address port"],
    ["merge(local.texts, var.any)", "?"],
    ["merge([local.texts]...)", "?"],
    ["{ for k, v in local.texts : k => v }", "text"],
    ["{ for k, v in var.any : k => v }", "?"],
    ["{ for k, v in local.texts : k => { address = v, vars = {} } }", "address vars"],
    ["{ for i in aws_instance.web : i.name => i.public_ip }", "text"],
    ["{ for i in aws_instance.web : i.name => i }", "?"],
    ["{ for i in var.any : i.name => i.public_ip }", "?"],
    ["{ for k, v in var.any : k => k }", "text"],
    ["{ for k, v in local.texts : k => v... }", "?"],
    ["zipmap(var.any, aws_instance.web[*].public_ip)", "text"],
    ["zipmap(var.any, var.any)", "?"],
    ["var.any ? var.texts : local.mixed", "text address user"],
  ])("%s", (text, expected) => {
    expect(shown(elementShape(parse(text), values))).toBe(expected);
  });
});
