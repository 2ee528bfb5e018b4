import { describe, expect, test } from "vitest";
import { SourceFile } from "../diagnostics/source.ts";
import { outlineBody } from "./outline.test-helper.ts";
import { parseExpression, parseFile, parseTemplate } from "./parse/parse.ts";

/** Each error as `LINE: SUMMARY «what is underlined»`. */
function errors(text: string): string[] {
  const file = new SourceFile("test.hcl", text);
  return parseFile(file).diagnostics.map(({ severity, summary, range }) => {
    expect(severity).toBe("error");
    const { start, end } = range!;
    return `${file.lineOf(start)}: ${summary} «${text.slice(start, end)}»`;
  });
}

const details = (text: string): string[] =>
  parseFile(new SourceFile("test.hcl", text)).diagnostics.map(({ detail }) => detail);

describe("each error is reported once, where it is", () => {
  test.each<[text: string, ...wanted: string[]]>([
    ["x 1\n", '1: Missing "=" «1»'],
    ["x: 1\n", '1: Missing "=" «:»'],
    ["x.y = 1\n", '1: Missing "=" «.»'],
    ["x\n", "1: Attribute or block expected «x»"],
    ["x =\n", "1: Missing expression «=»"],
    ["x = 1 +\n", "1: Missing expression «+»"],
    ["x = 1 2\n", "1: Missing line end after an attribute «2»"],
    ["x = 1, y = 2\n", "1: Comma after an attribute «,»"],
    ["x {} y = 1\n", "1: Missing line end after a block «y»"],
    ['"x" = 1\n', '1: Quoted name «"»'],
    ["x = 'a'\n", "1: Single quotes «'»"],
    ["x = “a”\n", "1: Typographic quotes «“»"],
    ["x = `a`\n", "1: Backquotes «`»"],
    ["x = 1;\n", "1: Unexpected semicolon «;»"],
    ["x = a & b\n", "1: Unknown operator «&»"],
    ["x = 2 ** 3\n", "1: Unknown operator «**»"],
    ["x = ${a}\n", "1: Template sequence outside of quotes «$»"],
    ["x = 10.0.0.1\n", "1: Invalid number «10.0.0.1»"],
    ["x = a.0.1\n", "1: Invalid index «0.1»"],
    ["x = a.\n", "1: Missing attribute name «.»"],
    ["x = a.*.b.*\n", "1: Nested attribute splat «*»"],
    ["x = a ? b\n", '1: Missing ":" in a condition «b»'],
    ["x = a\n  ? b\n  : c\ny = 'd'\n", "2: Expression over several lines «?»", "4: Single quotes «'»"],
    ["a = 1\nb = 2\na = 3\n", "3: Attribute set twice «a»"],
    ["}\n", "1: Unexpected closing bracket «}»"],
    ["x = 1]\n", "1: Unexpected closing bracket «]»"],
    ['x "y" = 1\n', '1: Block with "=" «=»'],
    ["x y\n{\n  z = 1\n}\n", '1: Missing "{" «x y»'],
    ["x { a = 1, b = 2 }\n", "1: Invalid block on one line «,»"],
    ["x { y {} }\n", "1: Invalid block on one line «y»"],
    ["x { a = 1\n}\n", "1: Invalid block on one line «1»"],
    ['x "a${b}" {\n}\n', "1: Template in a label «${»"],
    ['x "a {\n}\ny = 1\n', '1: Unclosed quotes «"»'],
    ["x = a::b\n", "1: Missing arguments «b»"],
    ["x = f(1 2)\n", "1: Missing comma «2»"],
    ["x = f(a..., b)\n", '1: Argument after "..." «,»'],
    ["x = [1 2]\n", "1: Missing comma «2»"],
    ["x = { a 1 }\n", '1: Missing "=" in an object «1»'],
    ["x = { a = 1 b = 2 }\n", "1: Missing comma or line end «b»"],
    ["x = (1 2)\n", "1: Missing closing parenthesis «2»"],
    ["x = [for a : b]\n", '1: Missing "in" «:»'],
    ["x = [for a in b]\n", '1: Missing ":" in a for expression «]»'],
    ["x = [for a in b : c => d]\n", "1: Unexpected key in a for expression «c»"],
    ["x = {for a in b : c}\n", "1: Missing key in a for expression «c»"],
    ["x = [for a in b : c...]\n", '1: Unexpected "..." in a for expression «...»'],
    ["x = [\n", "1: Unclosed bracket «[»"],
    ["x = {\n", "1: Unclosed brace «{»"],
    ["x = (\n", "1: Unclosed parenthesis «(»"],
    ["x = f(\n", "1: Unclosed parenthesis «(»"],
    ["x = a[\n", "1: Unclosed bracket «[»"],
    ["/* a\nx = 1\n", "1: Unclosed comment «/*»"],
    ["x = \u00a01\n", "1: No-break space «\u00a0»"],
    ["x = 1\ry = 2\n", "1: Carriage return without line feed «\r»"],
  ])("%j", (text, ...wanted) => {
    expect(errors(text)).toEqual(wanted);
  });
});

describe("templates", () => {
  test.each<[text: string, ...wanted: string[]]>([
    ['x = "abc\ny = 2\nz = "d"\n', '1: Unclosed quotes «"abc»'],
    ['x = "abc\ndef"\ny = 2\n', '1: Line end in quotes «"abc»'],
    ['x = "${a"\ny = 1\n', "1: Unclosed template sequence «${»"],
    [
      'x = "${a b} ${c d}"\n',
      "1: Unexpected text in a template sequence «b»",
      "1: Unexpected text in a template sequence «d»",
    ],
    ['x = "%{ if a }b"\n', "1: Unclosed if directive «%{ if a }»"],
    ['x = "%{ else }"\n', "1: Unexpected else directive «%{ else }»"],
    ['x = "%{ if a }%{ endfor }"\n', "1: Unexpected endfor directive «%{ endfor }»"],
    ['x = "%{ foo }"\n', "1: Invalid template directive «foo»"],
    [
      'x = "\\q\\u12\\ud800"\n',
      "1: Invalid escape sequence «\\q»",
      "1: Invalid escape sequence «\\u12»",
      "1: Invalid escape sequence «\\ud800»",
    ],
    ["x = <<EOT\na\n", "1: Unclosed heredoc «<<EOT»"],
    ["x = <<EOT\na\nEOT", "1: Unclosed heredoc «<<EOT»"],
    ["x = f(<<EOT\na\nEOT)\n", "1: Unclosed heredoc «<<EOT»"],
    ["x = <<EOT \na\nEOT\ny = 1\n", "1: Text after a heredoc's marker «<<EOT»"],
    ["x = <<'EOT'\na\nEOT\ny = 1\n", "1: Quoted heredoc marker «<<'EOT'»"],
    ["x = <<EOT\na\rb\nEOT\n", "2: Carriage return without line feed «\r»"],
  ])("%j", (text, ...wanted) => {
    expect(errors(text)).toEqual(wanted);
  });

  test("a heredoc's end is looked for", () => {
    expect(details("x = f(<<EOT\na\nEOT)\n")[0]).toContain("On line 3 something follows the marker");
    expect(details("x = <<EOT\na\nEOT")[0]).toContain("the file ends directly after the marker on line 3");
  });
});

describe("recovery", () => {
  test("errors in the items of lists, objects and bodies do not hide each other", () => {
    const text = [
      "a = [1 2, 3 4, 'x']",
      "b = {",
      "  c = 1 2",
      "  d 3",
      "  e = f(1 2, 3 4)",
      "  g = 5",
      "}",
      'h "i" {',
      "  j = 1 1",
      "  k {",
      "    l = ]",
      "  }",
      "}",
      "m = 6 6",
    ].join("\n");
    expect(errors(text)).toEqual([
      "1: Missing comma «2»",
      "1: Missing comma «4»",
      "1: Single quotes «'»",
      "3: Missing comma or line end «2»",
      '4: Missing "=" in an object «3»',
      "5: Missing comma «2»",
      "5: Missing comma «4»",
      "9: Missing line end after an attribute «1»",
      "11: Invalid expression «]»",
      "14: Missing line end after an attribute «6»",
    ]);
  });

  test("an unclosed bracket does not take the items after it", () => {
    const text = "a {\n  b = [\n    1,\n  c = 2\n}\nd {\n  e = (1\n  f = 3\n}\ng = 4\n";
    expect(errors(text)).toEqual(["2: Unclosed bracket «[»", "7: Unclosed parenthesis «(»"]);
    const { body } = parseFile(new SourceFile("test.hcl", text));
    expect(outlineBody(body)).toContain("c=2");
    expect(outlineBody(body)).toContain("f=3");
    expect(outlineBody(body)).toContain("g=4");
  });

  test("an unclosed block names its line and where its end may be missing", () => {
    expect(errors('a "b" {\n  c = 1\n\nd {\n}\n')).toEqual(['1: Unclosed block «a "b"»']);
    expect(details('a "b" {\n  c = 1\n\nd {\n}\n')[0]).toMatch(
      /on line 1 is never closed.*what begins on line 4/,
    );
    expect(details("a {\n  b {\n    c = 1\n\n  d = 2\n}\ne {\n}\n")[0]).toMatch(
      /"}" on line 6 .* "{" on line 2/,
    );
  });

  test("the good items are kept", () => {
    const { body } = parseFile(new SourceFile("test.hcl", "a = 1\nb = \nc {\n  d = 2\n  e 3\n}\nf = 4\n"));
    expect(outlineBody(body)).toBe("a=1; b=NOT UNDERSTOOD; c{d=2}; f=4");
  });
});

test("every detail says something", () => {
  for (const detail of details("a\nb = \nc 1\n'\nd = [\n")) expect(detail).toMatch(/\.$/);
});

test("lone expressions and templates end with their text", () => {
  const summaries = (text: string): string[] =>
    parseExpression(new SourceFile("x", text)).diagnostics.map(({ summary }) => summary);
  expect(summaries("1 2")).toEqual(["Text after the expression"]);
  expect(summaries("")).toEqual(["Missing expression"]);
  expect(summaries("1\n\n")).toEqual([]);
  const { diagnostics } = parseTemplate(new SourceFile("x", "a ${b"));
  expect(diagnostics.map(({ summary }) => summary)).toEqual(["Unclosed template sequence"]);
});

describe("nesting", () => {
  test.each([
    ["[", "]"],
    ["(", ")"],
    ["f(", ")"],
    ["{a=", "}"],
    ['"${', '}"'],
    ["-", ""],
    ["a ? b : ", ""],
    ["[for a in ", " : 1]"],
  ])("of %s and %s", (open, close) => {
    const nested = (depth: number): string => `x = ${open.repeat(depth)}1${close.repeat(depth)}\n`;
    expect(errors(nested(200))).toEqual([]);
    expect(errors(nested(100_000)).map((error) => error.slice(3, 19))).toEqual(["Nesting too deep"]);
    expect(errors(`x = ${open.repeat(100_000)}`)).toHaveLength(1);
  });

  test.each([" + 1", ".a", "[0]", ".*", "[*]", " ? 1 : 1"])("of chains of %s", (link) => {
    expect(errors(`x = a${link.repeat(100_000)}\n`)).toHaveLength(1);
  });

  test("of blocks and directives", () => {
    expect(errors("a {\n".repeat(100_000))).toHaveLength(1);
    expect(errors(`x = <<E\n${"%{ if a }".repeat(100_000)}\nE\n`)).toHaveLength(1);
  });
});
