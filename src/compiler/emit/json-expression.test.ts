import { describe, expect, it } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { parseExpression } from "../../hcl/parse/parse.ts";
import { expressionJson, type Json, sourceJson, staticJson } from "./json-expression.ts";

const parse = (text: string) => {
  const { expression, diagnostics } = parseExpression(new SourceFile("x.tf", text));
  expect(diagnostics).toEqual([]);
  return expression;
};

describe("expressions in JSON", () => {
  it.each<[string, Json]>([
    ["null", null],
    ["true", true],
    ["12", 12],
    ["0.5", 0.5],
    ["-1", "${-1}"],
    ["0755", "${0755}"],
    ["1e3", "${1e3}"],
    ["9007199254740993", "${9007199254740993}"],
    ['"text"', "text"],
    ['""', ""],
    ['"line\\n\\ttab \\"quoted\\" \\\\"', 'line\n\ttab "quoted" \\'],
    ['"$${a} %%{b} $5 100%"', "$${a} %%{b} $5 100%"],
    ['"${x}"', "${x}"],
    ['"a ${x} b"', "a ${x} b"],
    ['"cost $${y}${x}"', "cost $${y}${x}"],
    ['"%{if a}b%{else}c%{endif}"', "%{ if a }b%{ else }c%{ endif }"],
    ['"%{for k, v in m}${k}%{endfor}"', "%{ for k, v in m }${k}%{ endfor }"],
    ["<<EOT\na ${x}\nEOT\n", "a ${x}\n"],
    ["a.b[0]", "${a.b[0]}"],
    ['f("x", { a = 1 })', '${f("x", { a = 1 })}'],
    ['[1, "a", x]', [1, "a", "${x}"]],
    ['{ a = 1, "b c" = "${x}", (k) = null }', { a: 1, "b c": "${x}", "${(k)}": null }],
    ['{ "$${x}" = 1 }', { "$${x}": 1 }],
    ["x ? 1 : 2", "${x ? 1 : 2}"],
  ])("%s is evaluated as %j", (text, json) => {
    expect(expressionJson(parse(text))).toEqual(json);
  });

  it("keeps a $ before an interpolation from escaping it", () => {
    expect(expressionJson(parse('"\\u0024${x}"'))).toBe('${"$"}${x}');
    expect(expressionJson(parse('"\\u0025%{if a}b%{endif}"'))).toBe('${"%"}%{ if a }b%{ endif }');
    expect(expressionJson(parse('"%${x}"'))).toBe("%${x}");
  });

  it("does not make templates of what is not evaluated", () => {
    expect(staticJson(parse('{ a = "$${x}", "$${k}" = ["%%{y}"] }'))).toEqual({
      a: "${x}",
      "${k}": ["%{y}"],
    });
  });

  it("writes references and types as their text", () => {
    expect(sourceJson(parse('[a.b, c["d"]]'))).toEqual(["a.b", 'c["d"]']);
    expect(sourceJson(parse("map(string)"))).toBe("map(string)");
    expect(sourceJson(parse("{ aws = aws.west }"))).toEqual({ aws: "aws.west" });
  });
});
