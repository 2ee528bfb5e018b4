import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodies, expressions } from "../../../test/differential/hcl-trees.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { formatText } from "../format/format.ts";
import { outline, outlineBody } from "../outline.test-helper.ts";
import { parseExpression, parseFile } from "../parse/parse.ts";
import type { Body, Expression } from "../tree.ts";
import { printBody, printExpression } from "./print.ts";

function reparse(text: string): string {
  const { body, diagnostics } = parseFile(new SourceFile("test.hcl", text));
  expect(diagnostics).toEqual([]);
  return printBody(body);
}

const reprint = (text: string): string => {
  const { expression, diagnostics } = parseExpression(new SourceFile("test.hcl", text));
  expect(diagnostics).toEqual([]);
  return printExpression(expression);
};

const place = { file: new SourceFile("", ""), start: 0, end: 0 };
const name = (text: string): Expression => ({ kind: "variable", name: text, ...place });

describe("expressions", () => {
  test.each([
    ["a.b[0].c", "a.b[0].c"],
    ["a . 0 . b", "a.0.b"],
    ["a [*] . b [ * ] . c", "a[*].b[*].c"],
    ["a.*.b[0]", "a.*.b[0]"],
    ["- a+! b", "-a + !b"],
    ["a?b:c?d:e", "a ? b : c ? d : e"],
    ["f(a,b...)", "f(a, b...)"],
    ["[1,2,\n3]", "[1, 2, 3]"],
    ["f({a=1,b=2})", "f({ a = 1, b = 2 })"],
    ["[for k,v in m:v if k]", "[for k, v in m : v if k]"],
    ["{for k in m:k=>k...}", "{ for k in m : k => k... }"],
    ['"a${ b }%{ if c }d%{ else }e%{ endif }"', '"a${b}%{if c}d%{else}e%{endif}"'],
    ['{ "for" = 1 }', '{ "for" = 1 }'],
    ['"\\u0024${a}"', '"\\u0024${a}"'],
    ['" ${~ a}"', '" ${~a}"'],
  ])("%s", (text, wanted) => {
    expect(reprint(text)).toBe(wanted);
  });

  test("operators that bind less than their place get parentheses", () => {
    const sum: Expression = { kind: "binary", operator: "+", left: name("a"), right: name("b"), ...place };
    const choice: Expression = {
      kind: "conditional",
      condition: name("c"),
      then: sum,
      otherwise: sum,
      ...place,
    };
    expect(printExpression({ kind: "binary", operator: "*", left: sum, right: sum, ...place })).toBe(
      "(a + b) * (a + b)",
    );
    expect(printExpression({ kind: "binary", operator: "-", left: sum, right: sum, ...place })).toBe(
      "a + b - (a + b)",
    );
    expect(printExpression({ kind: "unary", operator: "-", operand: sum, ...place })).toBe("-(a + b)");
    expect(printExpression({ kind: "index", collection: sum, key: sum, legacy: false, ...place })).toBe(
      "(a + b)[a + b]",
    );
    expect(printExpression({ ...choice, condition: choice })).toBe("(c ? a + b : a + b) ? a + b : a + b");
  });

  test("accesses do not become part of a splat or a number", () => {
    const splat: Expression = { kind: "splat", form: "full", source: name("a"), steps: [], ...place };
    const access = (object: Expression): string =>
      printExpression({ kind: "attributeAccess", object, name: "b", nameRange: place, ...place });
    expect(access(splat)).toBe("(a[*]).b");
    expect(access({ ...splat, form: "attribute" })).toBe("(a.*).b");
    expect(access({ kind: "number", text: "1", ...place })).toBe("(1).b");
  });
});

test("names that are no identifiers are quoted", () => {
  const key = (text: string): string =>
    printExpression({ kind: "object", items: [{ key: name(text), value: name("v") }], ...place });
  expect(key("a-b")).toBe("{ a-b = v }");
  expect(key("a b")).toBe('{ "a b" = v }');
  expect(key("${a}")).toBe('{ "$${a}" = v }');
  expect(key("null")).toBe('{ "null" = v }');
  expect(key("for")).toBe('{ "for" = v }');
  const access = {
    kind: "attributeAccess",
    object: name("a"),
    name: "b c",
    nameRange: place,
    ...place,
  } as const;
  expect(printExpression(access)).toBe('a["b c"]');
});

describe("bodies", () => {
  test("blank lines around blocks, aligned attributes, an object's items on lines of their own", () => {
    const text = 'a=1\nbcd={x=1,yy={z=2}}\nb "l" {\nc=[{d=1},2]\n}\ne {\n}\nf=2';
    expect(reparse(text)).toBe(
      [
        "a = 1",
        "bcd = {",
        "  x = 1",
        "  yy = {",
        "    z = 2",
        "  }",
        "}",
        "",
        'b "l" {',
        "  c = [{ d = 1 }, 2]",
        "}",
        "",
        "e {",
        "}",
        "",
        "f = 2",
        "",
      ].join("\n"),
    );
  });

  test("heredocs stay, and <<- ones move with the code", () => {
    const text = "a {\nb = <<EOT\n  x\nEOT\nc = f(<<-EOT\n y\n   ${z}\n\n EOT\n, 1)\n}\n";
    expect(reparse(text)).toBe(
      "a {\n  b = <<EOT\n  x\nEOT\n  c = f(<<-EOT\n    y\n      ${z}\n\n  EOT\n  , 1)\n}\n",
    );
  });

  test("a heredoc that its text cannot be becomes quoted text", () => {
    const heredoc = (value: string): Expression => ({
      kind: "template",
      form: "heredoc",
      heredoc: { marker: "EOT", indented: true },
      parts: [{ kind: "literal", value, ...place }],
      ...place,
    });
    expect(printExpression(heredoc("a\n"))).toBe("<<-EOT\n  a\nEOT");
    expect(printExpression(heredoc("no line end"))).toBe('"no line end"');
    expect(printExpression(heredoc("a\nEOT\n"))).toBe('"a\\nEOT\\n"');
    expect(printExpression(heredoc("  a\n"))).toBe('"  a\\n"');
    expect(printExpression(heredoc("a\rb\n"))).toBe('"a\\rb\\n"');
  });

  test("labels are quoted and lone interpolations unwrapped, as tofu fmt does", () => {
    expect(reparse('a b {\nc = "${d}"\n}\n')).toBe('a "b" {\n  c = d\n}\n');
  });

  test("what is nested as deep as the parser allows", () => {
    const text = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const { expression } = parseExpression(new SourceFile("test.hcl", text(450)));
    expect(printExpression(expression).replace(/[\s,]/g, "")).toBe(text(450));
  });
});

/** Without what has no meaning: parentheses, and whether a text is a heredoc. */
function meaning(node: unknown): unknown {
  if (typeof node !== "object" || node === null || node instanceof SourceFile) return node;
  if (Array.isArray(node)) return node.map(meaning);
  const fields = Object.entries(node).map(([key, value]) => [key, meaning(value)]);
  const { kind, inner, heredoc: _, ...rest } = Object.fromEntries(fields);
  if (kind === "parentheses") return inner;
  return kind === "template" ? { ...rest, kind, form: "quoted" } : { ...rest, kind };
}
const meaningOfExpression = (expression: Expression): string => outline(meaning(expression) as Expression);
const meaningOfBody = (body: Body): string => outlineBody(meaning(body) as Body);

describe("properties", () => {
  test("an expression that is printed and parsed is the same", () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const { expression: parsed, diagnostics } = parseExpression(
          new SourceFile("test.hcl", `${printExpression(expression)}\n`),
        );
        expect(diagnostics).toEqual([]);
        expect(meaningOfExpression(parsed)).toBe(meaningOfExpression(expression));
      }),
      { numRuns: 500 },
    );
  });

  test("a body that is printed and parsed is the same, and printed in canonical form", () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const text = printBody(body);
        const { body: parsed, diagnostics } = parseFile(new SourceFile("test.hcl", text));
        expect(diagnostics).toEqual([]);
        expect(meaningOfBody(parsed)).toBe(meaningOfBody(body));
        expect(formatText(text)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test("any text at all is parsed without a crash, and formatting twice is formatting once", () => {
    const fragments = fc.constantFrom(
      ..."a 1 = { } [ ] ( ) \" ${ %{ ~} , . : ? + - ! < <<EOT\n EOT\n # \n if for in else endif \\ $ % \r\n /* */ ' ... =>".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 40 }), (pieces) => {
        const text = pieces.join(" ");
        const once = formatText(text);
        expect(formatText(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});

test("a template may have more parts than a call may have arguments", () => {
  const text = `"${"${a} ".repeat(200_000)}"`;
  const { expression, diagnostics } = parseExpression(new SourceFile("x", text));
  expect(diagnostics).toEqual([]);
  expect(printExpression(expression)).toBe(text);
});
