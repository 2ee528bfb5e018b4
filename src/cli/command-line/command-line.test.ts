import { describe, expect, it } from "vitest";
import { type Command, type Context, command } from "../command.ts";
import { commandSet } from "../commands.ts";
import { namesInstance } from "../state/instance-name.ts";
import { parseCommandLine } from "./command-line.ts";
import { type FlagSpec, oneOf, parseDuration, type ValueSpec } from "./option.ts";
import { flag } from "./shared-options.ts";

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
  {
    name: "box open",
    summary: "Open it",
    load,
    options: [],
    args: [
      { name: "WHAT", describe: "Which", required: true },
      { name: "MORE", describe: "And more", many: true },
    ],
  },
];

/** What the command gets of `argv`, or what is wrong with it. */
function named(...argv: string[]): readonly string[] | string {
  const parsed = parseCommandLine(argv, {
    ...commandSet,
    groups: [],
    commands: [
      {
        name: "look",
        summary: "Look",
        load,
        options: [{ kind: "list", name: "target", value: "ADDRESS", describe: "Which", ...namesInstance }],
        args: [{ name: "ADDRESS", describe: "Which", many: true, ...namesInstance }],
      },
    ],
  });
  if (parsed.kind === "command") return [...parsed.options.list("target"), ...parsed.args];
  return parsed.kind === "problem" ? `${parsed.problem.summary}: ${parsed.problem.detail}` : parsed.text;
}

describe("options that OpenTofu has", () => {
  const called = (...argv: string[]) => parseCommandLine(argv, commandSet);

  it.each([
    ["plan", "-input=false"],
    ["plan", "-lock=true"],
    ["plan", "-compact-warnings"],
    ["apply", "-lock=true", "-input=false"],
    ["destroy", "-compact-warnings"],
    ["refresh", "-input=false"],
    ["import", "-input=false", "-lock=true", 'conn3x_file.web__config["web1"]', "id"],
    ["init", "-input=false"],
    ["state", "rm", "-lock=true", "conn3x_file.web__config"],
  ])("%s takes %s", (...argv) => {
    expect(called(...argv).kind).toBe("command");
  });

  it("refuses to leave out the lock, and says what there is instead", () => {
    const parsed = called("plan", "-lock=false");
    expect(parsed).toMatchObject({
      kind: "problem",
      problem: { summary: "Option -lock cannot have this value" },
    });
    expect(parsed.kind === "problem" && parsed.problem.detail).toContain("conn3x drift");
  });

  it("shows in its help what can be chosen only", () => {
    const help = called("plan", "-help");
    expect(help.kind === "help" && help.text).toContain("-lock-timeout");
    expect(help.kind === "help" && help.text).not.toMatch(/-lock[ =]/);
  });
});

describe("names of instances", () => {
  const urn = "urn:conn3x:default::.::conn3x_file::web__config@web1";
  const address = 'conn3x_file.web__config["web1"]';
  const wrong = `must be an address, or a name such as ${urn}, not "urn:conn3x:x"`;

  it.each([
    [
      [`-target=${urn}`, "a.b"],
      [address, "a.b"],
    ],
    [
      ["-target", address, urn, urn],
      [address, address, address],
    ],
    [["-target", "urn:conn3x:x"], `Option -target cannot have this value: It ${wrong}.`],
    [["a.b", "urn:conn3x:x"], `Wrong command line: ADDRESS ${wrong}.`],
    [
      ["urn:conn3x:eu::.::conn3x_file::a"],
      'Wrong command line: ADDRESS must name something in the workspace default; "urn:conn3x:eu::.::conn3x_file::a" is in eu.',
    ],
  ])("%j", (argv, expected) => {
    expect(named("look", ...argv)).toEqual(expected);
  });
});

const parse = (...argv: string[]) =>
  parseCommandLine(argv, { ...commandSet, commands, groups: [{ name: "box", summary: "Boxes" }] });

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
    expect(problem("plan", "-nothing=x")).toBe(
      "Unknown option -nothing. Run conn3x help plan to see what there is.",
    );
    expect(problem("plan", "-v")).toContain("Unknown option -v.");
    expect(problem("plan", "--v=1")).toContain("Unknown option --v.");
    expect(problem("version", "-refresh=false")).toContain("Unknown option -refresh");
    expect(problem("plan", "x")).toContain("Too many arguments");
  });

  it("knows what OpenTofu has", () => {
    expect(problem("plan", "-state-out=x")).toBe(
      "This version has no -state-out. OpenTofu has it. The state is written where it was read: -state=PATH. " +
        "Run conn3x help plan to see what there is.",
    );
  });

  it("says when an option took the command for its value", () => {
    expect(problem("-chdir", "plan")).toBe(
      'There is no command. -chdir takes a value, so "plan" was taken for it. Write -chdir=VALUE, then the command.',
    );
    expect(problem("help", "nope")).toContain('Unknown command "nope"');
    expect(problem("help", "paln")).toContain('Did you mean "plan"?');
  });

  it("gives arguments, also such as look like options after --", () => {
    expect(parse("box", "open", "a")).toMatchObject({ kind: "command", args: ["a"] });
    expect(parse("box", "open", "a", "b", "--", "-c", "--d=e")).toMatchObject({
      args: ["a", "b", "-c", "--d=e"],
    });
    expect(problem("box", "open")).toContain("It is called as: conn3x box open [options] WHAT [MORE...].");
    expect(problem("box", "opne")).toBe(
      'Unknown command "box opne". Did you mean "open"? Run conn3x help box to see what there is.',
    );
    expect(parse("help", "box")).toMatchObject({ kind: "help", asked: true });
    expect(parse("help", "box", "open")).toMatchObject({
      kind: "help",
      asked: true,
      text: expect.stringContaining("Usage: conn3x box open [options] WHAT [MORE...]"),
    });
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

/** Held by the type check, not by what runs. */
it("has no other options in its type than those that it declares", () => {
  const declared = { name: "look", summary: "Look" };
  const options = [
    flag("deep", "Deeply"),
    { kind: "value", name: "at", value: "WHAT", describe: "At it" } satisfies ValueSpec<"at">,
  ];
  const looking = async (context: Context<FlagSpec<"deep"> | ValueSpec<"at">>) =>
    context.options.flag("deep") && context.options.value("at") === "" ? (1 as const) : (0 as const);
  const misspelt = async (context: Context<FlagSpec<"depp">>) =>
    context.options.flag("depp") ? (1 as const) : (0 as const);
  const another = async (context: Context<ValueSpec<"deep">>) =>
    context.options.value("deep") === "" ? (1 as const) : (0 as const);
  expect(command({ ...declared, options, load: async () => looking }).options).toBe(options);
  // @ts-expect-error: no such option
  command({ ...declared, options, load: async () => misspelt });
  // @ts-expect-error: it is a flag
  command({ ...declared, options, load: async () => another });
  // @ts-expect-error: not declared by what may be looked at
  const unknown = ({ options: given }: Context<FlagSpec<"deep">>) => given.flag("shallow");
  expect(unknown).toBeTypeOf("function");
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
