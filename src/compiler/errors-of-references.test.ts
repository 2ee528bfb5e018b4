/**
 * What is wrong with references: names that nothing has, and keys that a step does not have.
 */
import { describe, expect, it } from "vitest";
import { emitHcl } from "./emit/hcl.ts";
import { type ErrorCase, testErrors } from "./testing/error-cases.ts";
import { compileText, goodStep, inCircuit } from "./testing/marked.ts";

/** A step with keys, one without, and one that refers to them. */
const referring = (content: string, forEach = '{ a = 1, "b c" = 2 }') =>
  inCircuit(
    `  ${goodStep("many", `    for_each = ${forEach}`)}
  ${goodStep("one")}
  step "note" {
    file {
      path    = "/note"
      content = ${content}
    }
  }`,
  );

const cases: Readonly<Record<string, ErrorCase>> = {
  "a name that nothing has": {
    text: referring("«hosts».web1"),
    summary: "Unknown variable",
    detail: 'There is no variable named "hosts". Did you mean "host"?',
  },
  "a text without quotes": {
    text: referring("«debian»"),
    summary: "Unknown variable",
    detail: 'For the text itself write "debian".',
  },
  "a misspelt type of resource": {
    text: `${referring('"x"')}locals {\n  x = «conn3x_fil.web__one»["web1"].path\n}\n`,
    summary: 'There is no conn3x_fil "web__one"',
    detail: "Did you mean conn3x_file.web__one?",
  },
  "a host outside of circuits": {
    text: "locals {\n  x = «host».name\n}\n",
    summary: '"host" has no meaning here',
    detail: "in the steps and handlers of circuits only",
  },
  "an attribute of a step with keys, without a key": {
    text: referring("step.many.«path»"),
    summary: 'Step "many" has no key "path"',
    detail: 'write step.many["a"].path',
  },
  "a misspelt key": {
    text: referring('step.many[«"b d"»].path'),
    summary: 'Step "many" has no key "b d"',
    detail: 'Did you mean "b c"?',
  },
  "a number as a key of a list's elements": {
    text: referring("step.many[«0»].path", 'toset(["a"])'),
    summary: 'Step "many" has no key "0"',
    detail: "There are: a.",
  },
  "a key of a step without keys": {
    text: referring('step.one[«"a"»].path'),
    summary: 'Step "one" has no keys',
    detail: "write step.one.NAME",
  },
  "the first of a step without keys": {
    text: referring("step.one[«0»]"),
    summary: 'Step "one" has no keys',
    detail: "one instance on each host",
  },
};

testErrors("errors of references", cases);

describe("what is no mistake", () => {
  it.each([
    ["keys that are there", 'step.many["b c"].path'],
    ["a key as a name", "step.many.a.path"],
    ["an attribute in brackets", 'step.one["path"]'],
    ["a key that is computed", 'step.many[lower("A")].path'],
    ["a for variable with any name", '[for hosts in ["x"] : hosts][0]'],
    ["a key with the name of something", "{ hosts = 1 }.hosts"],
  ])("is not reported: %s", (_, content) => {
    expect(compileText(referring(content)).diagnostics).toEqual([]);
  });

  it("is not reported: any key where keys are not written out", () => {
    const text = `${referring("step.many.path.path", "var.keys")}variable "keys" {\n}\n`;
    expect(compileText(text).diagnostics).toEqual([]);
  });

  it("is not reported: settings that are named to be ignored", () => {
    const text = inCircuit(
      `  ${goodStep("a", "    lifecycle {\n      ignore_changes = [mode, content]\n    }")}`,
    );
    expect(compileText(text).diagnostics).toEqual([]);
  });

  it("is not reported: what dynamic blocks call their elements", () => {
    const text = inCircuit(`  ssh = var.login\n  ${goodStep("a")}`);
    const output = emitHcl(compileText(`${text}variable "login" {\n}\n`)).get("main.circuit.tf")!;
    expect(output).toContain('dynamic "bastion"');
    expect(compileText(output).diagnostics).toEqual([]);
  });
});

describe("keys that are words of the language or numbers", () => {
  it("name hosts as they are, as a real engine reads them", () => {
    const text = 'circuit "web" {\n  hosts = { null = "a", true = "b", 1.50 = "c" }\n}\n';
    const { diagnostics, circuits } = compileText(text);
    expect(diagnostics).toEqual([]);
    expect(circuits).toHaveLength(1);
    const output = emitHcl(compileText(text)).get("main.circuit.tf")!;
    for (const name of ["null", "true", "1.5"]) expect(output).toContain(`name    = "${name}"`);
  });

  it("are told apart from a null", () => {
    const [problem] = compileText('circuit "web" {\n  hosts = { (null) = "a" }\n}\n').diagnostics;
    expect(problem?.summary).toBe("This host has no name");
  });
});
