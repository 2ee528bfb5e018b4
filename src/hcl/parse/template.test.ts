// The expected parts are those that hashicorp/hcl gives for the same text.
import { describe, expect, test } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { outline, outlineParts } from "../outline.test-helper.ts";
import { parseFile, parseTemplate } from "./parse.ts";

function attribute(text: string): string {
  const { body, diagnostics } = parseFile(new SourceFile("test.hcl", text));
  expect(diagnostics).toEqual([]);
  const [item] = body.items;
  if (item?.kind !== "attribute") throw new Error("no attribute");
  return outline(item.expression);
}

const template = (text: string): string => {
  const { parts, diagnostics } = parseTemplate(new SourceFile("test.tftpl", text));
  expect(diagnostics).toEqual([]);
  return outlineParts(parts);
};

describe("quoted", () => {
  test.each([
    ['""', "``"],
    ['"a"', '`"a"`'],
    ['"${a}"', "`${a}`"],
    ['"a${b}c"', '`"a" ${b} "c"`'],
    ['"${"${a}"}"', "`${`${a}`}`"],
    ['"${ {a = 1} }"', "`${{a=1}}`"],
    ['"\\n\\r\\t\\"\\\\\\u00e9\\U0001f600"', `\`${JSON.stringify('\n\r\t"\\é😀')}\``],
    ['"$${a} %%{b} $a %b $$ %% $$a"', '`"${a} %{b} $a %b $$ %% $$a"`'],
    ['"$$${a}"', '`"$${a}"`'],
    ['"%${a}"', '`"%" ${a}`'],
    ['"a$"', '`"a$"`'],
    ['"e\u0301"', '`"\u00e9"`'],
    ['"# no // comment"', '`"# no // comment"`'],
    ['"${\na\n}"', "`${a}`"],
  ])("%s", (text, wanted) => {
    expect(attribute(`x = ${text}\n`)).toBe(wanted);
  });

  test("a stripped text beside a lone interpolation stays, as it makes a string of it", () => {
    expect(attribute('x = " ${~ a}"\n')).toBe('`"" ${~a}`');
    expect(attribute('x = "b ${~ a ~} c"\n')).toBe('`"b" ${~^a} "c"`');
  });

  test("directives", () => {
    expect(attribute('x = "%{ if a }b%{ else }c%{ endif }"')).toBe('`(if a "b" else "c" end)`');
    expect(attribute('x = "%{ if a ~} b %{~ endif ~} c"')).toBe('`(if^ a "b" end~^) "c"`');
    expect(attribute('x = "%{ for k, v in m }${k}=${v}%{ endfor }"')).toBe(
      '`(for k,v in m ${k} "=" ${v} end)`',
    );
    expect(attribute('x = "%{ for v in m }%{ if v }a%{ endif }%{ endfor }"')).toBe(
      '`(for v in m (if v "a" end) end)`',
    );
  });
});

describe("heredocs", () => {
  test.each([
    ["<<EOT\na\n  b\nEOT\n", '<<EOT "a\\n  b\\n">>'],
    ["<<EOT\nEOT\n", "<<EOT >>"],
    ["<<EOT\n\n  EOT  \n", '<<EOT "\\n">>'],
    ["<<EOT\nEOTX\n EOT.\nEOT\n", '<<EOT "EOTX\\n EOT.\\n">>'],
    ["<<EOT\n${a}EOT\nEOT\n", '<<EOT ${a} "EOT\\n">>'],
    ['<<EOT\n\\n "$${x} $x\nEOT\n', '<<EOT "\\\\n \\"${x} $x\\n">>'],
    ["<<EOT\n${<<IN\nb\nIN\n}c\nEOT\n", '<<EOT ${<<IN "b\\n">>} "c\\n">>'],
    ["<<a-b\nx\na-b\n", '<<a-b "x\\n">>'],
  ])("%j", (text, wanted) => {
    expect(attribute(`x = ${text}`)).toBe(wanted);
  });

  test.each([
    ["<<-EOT\n    a\n      b\n\n    c\n  EOT\n", '<<-EOT "a\\n  b\\n\\nc\\n">>'],
    ["<<-EOT\n  a\n   \n  b\nEOT\n", '<<-EOT "a\\n   \\nb\\n">>'],
    ["<<-EOT\n    ${a}\n  b\nEOT\n", '<<-EOT "  " ${a} "\\nb\\n">>'],
    ["<<-EOT\n    a\n${b}\nEOT\n", '<<-EOT "    a\\n" ${b} "\\n">>'],
    ["<<-EOT\n\ta\n\t\tb\nEOT\n", '<<-EOT "a\\n\\tb\\n">>'],
    ["<<-EOT\n  \u00a0a\n   b\nEOT\n", '<<-EOT "a\\nb\\n">>'],
  ])("indentation %j", (text, wanted) => {
    expect(attribute(`x = ${text}`)).toBe(wanted);
  });

  test.each([
    ["<<EOT\na ${~ b ~}\n  c\nEOT\n", '<<EOT "a" ${~^b} "  c\\n">>'],
    ["<<EOT\na\n  ${~ b}\nEOT\n", '<<EOT "a\\n" ${~b} "\\n">>'],
    ["<<EOT\n%{ for x in y ~}\n${x}\n%{ endfor ~}\nEOT\n", '<<EOT (for^ x in y ${x} "\\n" end^)>>'],
    ["<<-EOT\n  ${a ~}\n    b\n  c\nEOT\n", '<<-EOT ${^a} "    b\\nc\\n">>'],
  ])("a marker strips one line at most %j", (text, wanted) => {
    expect(attribute(`x = ${text}`)).toBe(wanted);
  });

  test.each([
    ["x = <<EOT\r\na\r\nb\r\nEOT\r\n", '<<EOT "a\\r\\nb\\r\\n">>'],
    ["x = <<EOT\na\r\nb\nEOT\n", '<<EOT "a\\r\\nb\\n">>'],
    ["x = <<EOT\na\nEOT\r\n", '<<EOT "a\\n">>'],
    ["x = <<-EOT\r\n  a\r\n\r\n  b\r\n  EOT\r\n", '<<-EOT "a\\r\\n\\r\\nb\\r\\n">>'],
  ])("line ends with carriage returns %j", (text, wanted) => {
    expect(attribute(text)).toBe(wanted);
  });
});

describe("template files", () => {
  test.each([
    ["", ""],
    ["a\nb", '"a\\nb"'],
    ["${a}", "${a}"],
    ['a " \\n ${b}\n', '"a \\" \\\\n " ${b} "\\n"'],
    ["%{ for h in hosts ~}\nserver ${h}\n%{ endfor ~}\n", '(for^ h in hosts "server " ${h} "\\n" end^)'],
    ["cost 5$", '"cost 5$"'],
    ["a\r\n${b}\r\n", '"a\\r\\n" ${b} "\\r\\n"'],
    ["a\r${b}", '"a\\r${b}"'],
  ])("%j", (text, wanted) => {
    expect(template(text)).toBe(wanted);
  });
});
