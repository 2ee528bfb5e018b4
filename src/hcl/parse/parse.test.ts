import { describe, expect, test } from "vitest";
import { SourceFile, type SourceRange } from "../../diagnostics/source.ts";
import { outline, outlineBody } from "../outline.test-helper.ts";
import type { Attribute, Block, Expression } from "../tree.ts";
import { parseExpression, parseFile } from "./parse.ts";

const file = (text: string): SourceFile => new SourceFile("test.hcl", text);

function expression(text: string): Expression {
  const { expression, diagnostics } = parseExpression(file(text));
  expect(diagnostics).toEqual([]);
  return expression;
}

function body(text: string): string {
  const { body, diagnostics } = parseFile(file(text));
  expect(diagnostics).toEqual([]);
  return outlineBody(body);
}

const written = ({ file: { text }, start, end }: SourceRange): string => text.slice(start, end);

describe("expressions", () => {
  test.each([
    ["1", "1"],
    ["0755", "0755"],
    ["1E-3", "1E-3"],
    ["1.5e+10", "1.5e+10"],
    ["true", "true"],
    ["null", "null"],
    ["truely", "truely"],
    ["_a-b", "_a-b"],
    ["größe", "größe"],
    ["𝒳", "𝒳"],
    ["a-1", "a-1"],
    ["a - 1", "(- a 1)"],
    ["-a.b", "(- (. a b))"],
    ["!a == b", "(== (! a) b)"],
    ["!!a", "(! (! a))"],
    ["- -1", "(- (- 1))"],
    ["-46+5", "(+ (- 46) 5)"],
  ])("term %s", (text, wanted) => {
    expect(outline(expression(text))).toBe(wanted);
  });

  test.each([
    ["1 + 2 * 3", "(+ 1 (* 2 3))"],
    ["1 - 2 - 3", "(- (- 1 2) 3)"],
    ["1 * 2 % 3 / 4", "(/ (% (* 1 2) 3) 4)"],
    ["a || b && c == d < e + f * g", "(|| a (&& b (== c (< d (+ e (* f g))))))"],
    ["a != b >= c", "(!= a (>= b c))"],
    ["a < b == c > d", "(== (< a b) (> c d))"],
    ["(1 + 2) * 3", "(* (paren (+ 1 2)) 3)"],
    ["a\n+\nb", "(+ a b)"],
  ])("operators %s", (text, wanted) => {
    expect(outline(expression(text))).toBe(wanted);
  });

  test.each([
    ["a ? b : c", "(? a b c)"],
    ["a ? b : c ? d : e", "(? a b (? c d e))"],
    ["a ? b ? c : d : e", "(? a (? b c d) e)"],
    ["b || c ? d : e", "(? (|| b c) d e)"],
  ])("conditionals %s", (text, wanted) => {
    expect(outline(expression(text))).toBe(wanted);
  });

  test.each([
    ["a.b.c", "(. (. a b) c)"],
    ["a [ 0 ]", "([] a 0)"],
    ['a["k"].b', '(. ([] a `"k"`) b)'],
    ["a.0.b", "(. (legacy a 0) b)"],
    ["a.*.b.c", "(.* a .b .c)"],
    ["a.*.b[0]", "([] (.* a .b) 0)"],
    ["a.*.0.b", "(.* a .0 .b)"],
    ["a[*].b[0].c", "([*] a .b [0] .c)"],
    ["a[*]", "([*] a)"],
    ["a[*].b[*].c", "([*] a .b ([*] .c))"],
    ["a[*].b.*.c", "([*] a .b (.* .c))"],
    ["f(a)[0].b", "(. ([] f(a) 0) b)"],
    ["[1][0]", "([] [1] 0)"],
  ])("accesses %s", (text, wanted) => {
    expect(outline(expression(text))).toBe(wanted);
  });

  test.each([
    ["f()", "f()"],
    ["f(1, a,)", "f(1 a)"],
    ["f(a...)", "f(a ...)"],
    ["f(1, a...)", "f(1 a ...)"],
    ["provider::aws::f(1)", "provider::aws::f(1)"],
    ["f(\n  1,\n  # two\n  2\n)", "f(1 2)"],
    ["true(1)", "true(1)"],
  ])("calls %s", (text, wanted) => {
    expect(outline(expression(text))).toBe(wanted);
  });

  test.each([
    ["[]", "[]"],
    ["[1, 2,]", "[1 2]"],
    ["[\n1\n,\n2\n]", "[1 2]"],
    ["{}", "{}"],
    ["{ a = 1, b : 2 }", "{a=1 b=2}"],
    ["{\na = 1\nb = 2,\nc = 3\n}", "{a=1 b=2 c=3}"],
    ['{ "a b" = 1, (c) = 2, d.e = 3, 4 = 5 }', '{`"a b"`=1 (paren c)=2 (. d e)=3 4=5}'],
    ["{ true = 1 }", "{true=1}"],
    ['{ "${a}" = 1 }', "{`${a}`=1}"],
  ])("collections %s", (text, wanted) => {
    expect(outline(expression(text))).toBe(wanted);
  });

  test.each([
    ["[for a in b : c]", "(for a in b: c)"],
    ["[for a, b in c : d if e]", "(for a,b in c: d if e)"],
    ["{for a in b : c => d}", "(for a in b: c=>d)"],
    ["{\nfor a, b in c :\nd => e... if f\n}", "(for a,b in c: d=>e... if f)"],
    ["[for a in [b] : { c = a }]", "(for a in [b]: {c=a})"],
    ["[for if in in : if]", "(for if in in: if)"],
  ])("for expressions %s", (text, wanted) => {
    expect(outline(expression(text))).toBe(wanted);
  });
});

describe("bodies", () => {
  test.each([
    ["", ""],
    ["a = 1\n", "a=1"],
    ["a = 1", "a=1"],
    ["a=1\n\n\nb=2\n", "a=1; b=2"],
    ['a "b" c {\n}\n', 'a "b" c{}'],
    ["a {}", "a{}"],
    ["a { b = 1 }", "a{b=1}"],
    ["a {\n  b = 1\n  c {\n    d = 2\n  }\n}\ne = 3", "a{b=1; c{d=2}}; e=3"],
    ["for = 1\nif {\n}\n", "for=1; if{}"],
    ['a "\\u00e9 $${x} %%{y}" {\n}', 'a "é ${x} %{y}"{}'],
    ["a = [\n  1, # one\n  /* two */ 2, // 2\n]\n", "a=[1 2]"],
    ["a = 1 # c\nb = 2 // d\nc = 3 /* e\n */\nd = 4 # end", "a=1; b=2; c=3; d=4"],
    ["\ufeffa = 1\n", "a=1"],
    ["a = 1\r\nb {\r\n}\r\n", "a=1; b{}"],
  ])("%j", (text, wanted) => {
    expect(body(text)).toBe(wanted);
  });
});

describe("ranges", () => {
  const text = 'a = f(x.y, "t${z}") + 1 # c\nblk "l" m {\n  k = [1]\n}\n';
  const [attribute, block] = parseFile(file(text)).body.items as [Attribute, Block];

  test("cover exactly what was written", () => {
    expect(written(attribute)).toBe('a = f(x.y, "t${z}") + 1');
    expect(written(attribute.nameRange)).toBe("a");
    expect(written(attribute.expression)).toBe('f(x.y, "t${z}") + 1');
    expect(written(block)).toBe('blk "l" m {\n  k = [1]\n}');
    expect(written(block.header)).toBe('blk "l" m');
    expect(block.labels.map(written)).toEqual(['"l"', "m"]);
    expect(written(block.body)).toBe("{\n  k = [1]\n}");
  });

  test("of nested nodes", () => {
    const sum = attribute.expression;
    if (sum.kind !== "binary" || sum.left.kind !== "call") throw new Error("not a sum with a call");
    expect(written(sum.left.nameRange)).toBe("f");
    expect(sum.left.args.map(written)).toEqual(["x.y", '"t${z}"']);
    const template = sum.left.args[1];
    if (template?.kind !== "template") throw new Error("not a template");
    expect(template.parts.map(written)).toEqual(["t", "${z}"]);
  });
});

test("comments are given with their text and place", () => {
  const text = '# a\nx = [ // b\r\n  1, /* c\n d */ 2\n]\ny = "# no"\nz = <<E\n# no\nE\n# end';
  const { comments } = parseFile(file(text));
  expect(comments.map((comment) => comment.text)).toEqual(["# a", "// b", "/* c\n d */", "# end"]);
  expect(comments.map(written)).toEqual(comments.map((comment) => comment.text));
});

test.each(["!", "-"])("a chain of 50,000 %j is too deep, and no crash", (operator) => {
  const { diagnostics, expression } = parseExpression(new SourceFile("x", `${operator.repeat(50_000)}true`));
  expect(diagnostics).toMatchObject([{ summary: "Nesting too deep" }]);
  expect(() =>
    JSON.stringify(expression, (key, value) => (key === "file" ? undefined : value)),
  ).not.toThrow();
});
