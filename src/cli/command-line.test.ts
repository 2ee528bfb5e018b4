import { describe, expect, it } from "vitest";
import type { Command } from "./command.ts";
import { parseCommandLine } from "./command-line.ts";
import { globalOptions } from "./commands.ts";
import { oneOf, parseDuration } from "./option.ts";

const load = async () => async () => 0 as const;

const commands: readonly Command[] = [
  {
    name: "plan",
    summary: "Show what would be done",
    load,
    options: [
      { kind: "flag", name: "refresh", initial: true, describe: "Read hosts" },
      { kind: "flag", name: "detailed-exitcode", initial: false, describe: "2 for changes" },
      { kind: "list", name: "var", value: "NAME=VALUE", describe: "A variable" },
      { kind: "list", name: "var-file", value: "FILE", describe: "A file" },
      { kind: "value", name: "format", value: "hcl|json", check: oneOf("hcl", "json"), describe: "Form" },
    ],
  },
  { name: "version", summary: "Show the version", load, options: [] },
];

const parse = (...argv: string[]) => parseCommandLine(argv, commands, globalOptions);

function options(...argv: string[]) {
  const parsed = parse(...argv);
  if (parsed.kind !== "command") throw new Error(`not a command: ${JSON.stringify(parsed)}`);
  return parsed.options;
}

function problem(...argv: string[]): string {
  const parsed = parse(...argv);
  if (parsed.kind !== "problem") throw new Error(`no problem: ${parsed.kind}`);
  return `${parsed.problem.summary}. ${parsed.problem.detail}`;
}

describe("parseCommandLine", () => {
  it("gives flags and their defaults", () => {
    expect(options("plan").flag("refresh")).toBe(true);
    expect(options("plan", "-refresh=false").flag("refresh")).toBe(false);
    expect(options("plan", "--refresh=0").flag("refresh")).toBe(false);
    expect(options("plan", "-detailed-exitcode").flag("detailed-exitcode")).toBe(true);
    expect(options("plan", "-detailed-exitcode", "-detailed-exitcode=false").flag("detailed-exitcode")).toBe(
      false,
    );
  });

  it("keeps the order of -var and -var-file", () => {
    expect(options("plan", "-var", "a=1", "-var-file=x", "--var=b=2").lists).toEqual([
      { name: "var", value: "a=1" },
      { name: "var-file", value: "x" },
      { name: "var", value: "b=2" },
    ]);
  });

  it("takes global options before and after the command", () => {
    expect(options("-chdir=sub", "plan").value("chdir")).toBe("sub");
    expect(options("plan", "-no-color").flag("no-color")).toBe(true);
    expect(options("-no-color", "plan").flag("no-color")).toBe(true);
    expect(options("plan").flag("no-color")).toBe(false);
  });

  it("suggests what was meant", () => {
    expect(problem("paln")).toBe(
      'Unknown command "paln". Did you mean "plan"? Run conn3x help to see what there is.',
    );
    expect(problem("plan", "-detailed-exitcod")).toBe(
      'Unknown option -detailed-exitcod. Did you mean "-detailed-exitcode"? Run conn3x help plan to see what there is.',
    );
    expect(problem("plan", "-refesh=false")).toContain('Did you mean "-refresh"?');
  });

  it("refuses what does not exist", () => {
    expect(problem("plan", "-target=x")).toBe(
      "Unknown option -target. Run conn3x help plan to see what there is.",
    );
    expect(problem("version", "-refresh=false")).toContain("Unknown option -refresh");
    expect(problem("plan", "x")).toContain("Too many arguments");
  });

  it("says what is wrong with a value", () => {
    expect(problem("plan", "-format=yaml")).toBe(
      'Option -format cannot have this value. It must be hcl or json, not "yaml".',
    );
    expect(problem("plan", "-refresh=maybe")).toBe(
      'Option -refresh cannot have this value. It is true or false, not "maybe".',
    );
    expect(problem("plan", "-var")).toContain("Option -var needs a value");
  });

  it.each([["-help"], ["--help"], ["help"], ["help", "plan"], ["plan", "-help"]])(
    "helps when asked: %s %s",
    (...argv) => {
      const parsed = parse(...argv.filter((argument) => argument !== undefined));
      expect(parsed).toMatchObject({ kind: "help", asked: true });
    },
  );

  it("helps, as an error, when there is no command", () => {
    expect(parse()).toMatchObject({ kind: "help", asked: false });
  });

  it("shows options as OpenTofu spells them", () => {
    const parsed = parse("help", "plan");
    expect(parsed.kind === "help" && parsed.text).toMatch(/^ {2}-refresh=false\s+Read hosts$/m);
    expect(parsed.kind === "help" && parsed.text).toMatch(/^ {2}-var NAME=VALUE\s+A variable$/m);
    expect(parsed.kind === "help" && parsed.text).toMatch(/^ {2}-chdir=DIR\s/m);
  });
});

describe("parseDuration", () => {
  it.each([
    ["30s", 30_000],
    ["5m", 300_000],
    ["1.5h", 5_400_000],
    ["250ms", 250],
    ["7", 7000],
    ["x", undefined],
    ["-1s", undefined],
  ])("%s", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });
});
