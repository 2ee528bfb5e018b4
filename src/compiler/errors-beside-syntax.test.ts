/**
 * What is wrong beside syntax errors shows in the same run; what would only follow from them does not.
 */
import { describe, expect, it } from "vitest";
import { SourceFile } from "../diagnostics/source.ts";
import { compileFiles } from "./testing/compile-files.ts";
import { testKinds } from "./testing/kinds.ts";

/** `LINE SUMMARY` of everything; files by name. */
function reported(files: Readonly<Record<string, string>>): readonly string[] {
  const sources = Object.entries(files).map(([name, text]) => new SourceFile(name, text));
  const { diagnostics } = compileFiles(sources, { directory: ".", kinds: testKinds });
  return diagnostics.map(({ summary, range }) => `${range!.file.lineOf(range!.start)} ${summary}`);
}

const inOne = (text: string): readonly string[] => reported({ "main.circuit.hcl": text });

const inCircuit = (content: string): string =>
  `circuit "web" {\n  hosts = { a = "10.0.0.1" }\n${content}\n}\n`;

const step = (content: string, name = "s"): string => `  step "${name}" {\n${content}\n  }`;

const file = (content: string): string => `    file {\n${content}\n    }`;

describe("errors beside an error of syntax are told", () => {
  it.each<[what: string, text: string, ...wanted: string[]]>([
    [
      "a second attribute, which does not count",
      'locals {\n  a = 1\n  a = local.nope\n  b = local.none\n}\noutput "x" {}\n',
      "3 Attribute set twice",
      '4 There is no local value "none"',
      '6 "output" needs "value"',
    ],
    [
      "in the other settings of its block",
      inCircuit(step(file('      path = "/x"\n      path = "/y"\n      modee = "0644"'))),
      "6 Attribute set twice",
      '7 Unknown setting "modee"',
    ],
    [
      "in other values of locals",
      "locals {\n  a = f(1 2)\n  b = var.x\n  c = local.a\n}\n",
      "2 Missing comma",
      '3 There is no variable "x"',
    ],
    [
      "in the other steps of its circuit",
      inCircuit(
        `${step(`${file("      path = '/x'")}\n    notify = [handler.n]`)}\n${step(file('      pth = "/y"'), "t")}`,
      ),
      "5 Single quotes",
      '7 Unknown handler "n"',
      '11 Unknown setting "pth"',
    ],
    [
      "a line that means nothing, and what is wrong in other blocks",
      'variable "v" {\n  default 1\n}\noutput "x" {\n  value = var.w\n}\n',
      '2 Missing "="',
      '5 There is no variable "w"',
    ],
  ])("%s", (_, text, ...wanted) => {
    expect(inOne(text)).toEqual(wanted);
  });

  it("also in a file beside one whose braces do not match, but for names that may be in that", () => {
    expect(
      reported({
        "a.circuit.hcl": 'variable "v" {\n',
        "b.circuit.hcl": 'output "x" {\n  value = var.w\n  valeu = 1\n}\n',
      }),
    ).toEqual(["1 Unclosed brace", '3 Unknown argument "valeu"']);
  });

  it("in JSON", () => {
    const text = `{"locals": {\n"a": "\${f(}",\n"b": "\${local.none}",\n"b": 1}}`;
    expect(reported({ "a.tf.json": text }).map((line) => line.replace(/^(2) .*/, "$1 …"))).toEqual([
      "2 …",
      '3 There is no local value "none"',
      "4 Attribute set twice",
    ]);
  });
});

it.each([
  'variable "v" {\n  sensitive true\n}\n',
  'variable "v" {\n  sensitive = tru e\n}\n',
  'variable "v" {\n  sensitive = local.x\n}\n',
])("what may have been meant to be sensitive is: %j", (text) => {
  const sources = [new SourceFile("main.tf", text)];
  const { variables } = compileFiles(sources, { directory: ".", kinds: testKinds });
  expect(variables.get("v")?.sensitive).toBe(true);
});

describe("what may be in a place that was not understood is not missed", () => {
  it.each<[what: string, text: string, wanted: string]>([
    ["a block's argument", 'output "x" {\n  value 1\n}\n', '2 Missing "="'],
    ["a value in another form", 'variable "v" {\n  sensitive = , true\n}\n', "2 Invalid expression"],
    ["a circuit's hosts", 'circuit "a" {\n  hosts {} x\n}\n', "2 Missing line end after a block"],
    ["a local value", "locals {\n  a 1\n  b = local.a\n}\n", '2 Missing "="'],
    ["a variable", 'variable "a" , {\n}\nlocals {\n  b = var.a\n}\n', '1 Missing "{"'],
    ["a circuit", `circuit "a" , {\n}\n${inCircuit("  depends_on = [circuit.a]")}`, '1 Missing "{"'],
    [
      "a step",
      inCircuit(`  step "a" , {\n  }\n${step(file('      path = step.a.path\n      content = ""'))}`),
      '3 Missing "{"',
    ],
    ["a step's kind", inCircuit(step("    file , {\n    }")), '4 Missing "="'],
    ["a kind's setting", inCircuit(step(file('      path "/x"'))), '5 Missing "{"'],
    [
      "a step's keys, on which depends what refers to it means",
      `${inCircuit(step(`    for_each toset(["x"])\n${file('      path = "/x"\n      content = ""')}`))}output "o" {\n  value = conn3x_file.web__s["a/x"].nope\n}\n`,
      '4 Missing "{"',
    ],
    [
      "a handler",
      inCircuit(
        `${step(`${file('      path = "/x"\n      content = ""')}\n    notify = [handler.h]`)}\n  handler "h" , {\n  }`,
      ),
      '10 Missing "{"',
    ],
    [
      "a notification",
      inCircuit(
        `${step(`${file('      path = "/x"\n      content = ""')}\n    notify = [handler h]`)}\n  handler "h" {\n    service {\n      name = "x"\n      action = "reload"\n    }\n  }`,
      ),
      "8 Missing comma",
    ],
    [
      "a circuit's resource",
      `output "o" {\n  value = conn3x_file.web__t["a"].path\n}\n${inCircuit('  step "t" , {\n  }')}`,
      '6 Missing "{"',
    ],
  ])("%s", (_, text, wanted) => {
    expect(inOne(text)).toEqual([wanted]);
  });
});
