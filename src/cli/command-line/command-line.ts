/**
 * @module Parses a command line into a command, its options and its arguments.
 */
import { CommanderError, InvalidArgumentError, Option, Command as Parser } from "commander";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { type ArgumentSpec, type Command, type CommandGroup, usageOf } from "../command.ts";
import { normalizeArguments } from "./arguments.ts";
import { noCommand, problemOf, unknownHelp } from "./command-line-problems.ts";
import type { GivenLists, OptionSpec, Options } from "./option.ts";

export type Parsed =
  | {
      readonly kind: "command";
      readonly command: Command;
      readonly options: Options<OptionSpec>;
      readonly args: readonly string[];
    }
  | { readonly kind: "help"; readonly text: string; readonly asked: boolean }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

/** Everything that can be called. */
export interface CommandSet {
  readonly commands: readonly Command[];
  readonly groups: readonly CommandGroup[];
  readonly globals: readonly OptionSpec[];
}

/** @param argv without the names of interpreter and program */
export function parseCommandLine(argv: readonly string[], set: CommandSet): Parsed {
  const specs = [...set.globals, ...set.commands.flatMap(({ options }) => options)];
  const normal = normalizeArguments(argv, {
    flags: new Set(specs.filter(({ kind }) => kind === "flag").map(({ name }) => name)),
    values: new Set(specs.filter(({ kind }) => kind !== "flag").map(({ name }) => name)),
  });
  const wrongHelp = unknownHelp(normal, set);
  if (wrongHelp !== undefined) return { kind: "problem", problem: wrongHelp };
  let called: Omit<Extract<Parsed, { readonly kind: "command" }>, "kind"> | undefined;
  let help = "";
  const lists: Given[] = [];
  const program = createParser(set, lists, {
    write: (text) => {
      help += text;
    },
    call: (command, given, args) => {
      called = { command, options: optionsOf(command, set.globals, given, lists), args };
    },
  });
  try {
    program.parse(helpInGroup(normal), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (!error.code.startsWith("commander.help"))
      return { kind: "problem", problem: problemOf(error, argv, normal, set) };
    const problem = error.exitCode === 0 ? undefined : noCommand(argv, set);
    return problem === undefined
      ? { kind: "help", text: help, asked: error.exitCode === 0 }
      : { kind: "problem", problem };
  }
  return called === undefined ? { kind: "help", text: help, asked: false } : { kind: "command", ...called };
}

/** `help state list` is what the parser knows as `state help list`. */
function helpInGroup(normal: readonly string[]): readonly string[] {
  const [first, group, name, ...rest] = normal;
  return first === "help" && group !== undefined && name !== undefined && !name.startsWith("-")
    ? [group, "help", name, ...rest]
    : normal;
}

interface Given {
  readonly name: string;
  readonly value: string;
}

interface Hooks {
  readonly write: (text: string) => void;
  readonly call: (
    command: Command,
    given: Readonly<Record<string, unknown>>,
    args: readonly string[],
  ) => void;
}

function createParser({ commands, groups, globals }: CommandSet, lists: Given[], hooks: Hooks): Parser {
  const program = new Parser("conn3x")
    .usage("[-chdir=DIR] COMMAND [options]")
    .description("Plan and apply what is inside your Linux hosts.")
    .exitOverride()
    .configureOutput({ writeOut: hooks.write, writeErr: hooks.write, outputError: () => {} })
    .configureHelp({ optionTerm: optionTerm(globals), subcommandTerm: (sub) => sub.name() })
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [COMMAND]", "Show what a command does and takes");
  addOptions(program, globals, lists);
  const parents = new Map<string, Parser>();
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    if (second === undefined) {
      addCommand(program, first, command, globals, lists, hooks);
      continue;
    }
    const parent =
      parents.get(first) ??
      program
        .command(first)
        .description(groups.find(({ name }) => name === first)?.summary ?? "")
        .usage("COMMAND [options]")
        .helpCommand("help [COMMAND]", "Show what a command does and takes");
    parents.set(first, parent);
    addCommand(parent, second, command, globals, lists, hooks);
  }
  return program;
}

function addCommand(
  parent: Parser,
  name: string,
  command: Command,
  globals: readonly OptionSpec[],
  lists: Given[],
  { call }: Hooks,
): void {
  const { summary, describe, args = [] } = command;
  const sub = parent
    .command(name)
    .summary(summary)
    .description(describe === undefined ? `${summary}.` : `${summary}.\n\n${describe}`)
    .usage(usageOf(command))
    .configureHelp({ optionTerm: optionTerm([...globals, ...command.options]), showGlobalOptions: true });
  for (const { name: argument, describe: text, required = false, many = false } of args) {
    const word = `${argument}${many ? "..." : ""}`;
    sub.argument(required ? `<${word}>` : `[${word}]`, text);
  }
  sub.action(() => call(command, sub.optsWithGlobals(), readArguments(args, sub.args)));
  addOptions(sub, command.options, lists);
}

function addOptions(parser: Parser, specs: readonly OptionSpec[], lists: Given[]): void {
  for (const spec of specs) {
    const option = new Option(`--${spec.name} <value>`, spec.describe);
    // Values keep the option's own name: `no-color` is a flag here, not the negation of `color`.
    option.negate = false;
    option.attributeName = () => spec.name;
    if (spec.hidden) option.hideHelp();
    option.argParser((text: string) => {
      if (spec.kind === "flag") return flagValue(spec, text);
      const value = checkedValue(spec, text);
      if (spec.kind === "list") lists.push({ name: spec.name, value });
      return value;
    });
    parser.addOption(option);
  }
}

function flagValue({ check }: Extract<OptionSpec, { readonly kind: "flag" }>, text: string): boolean {
  const value = { true: true, 1: true, false: false, 0: false }[text];
  if (value === undefined) throw new InvalidArgumentError(`It is true or false, not "${text}".`);
  const wrong = check?.(value);
  if (wrong !== undefined) throw new InvalidArgumentError(wrong);
  return value;
}

function checkedValue(spec: Exclude<OptionSpec, { readonly kind: "flag" }>, text: string): string {
  const wrong = spec.check?.(text);
  if (wrong !== undefined) throw new InvalidArgumentError(`It ${wrong}.`);
  return spec.read?.(text) ?? text;
}

/** The last one declared is for all that is left. */
function readArguments(specs: readonly ArgumentSpec[], given: readonly string[]): readonly string[] {
  return given.map((text, i) => {
    const spec = specs[i] ?? specs.at(-1);
    const wrong = spec?.check?.(text);
    if (wrong !== undefined) throw new CommanderError(1, "conn3x.argument", `${spec?.name} ${wrong}.`);
    return spec?.read?.(text) ?? text;
  });
}

function optionsOf(
  command: Command,
  globals: readonly OptionSpec[],
  given: Readonly<Record<string, unknown>>,
  lists: GivenLists["lists"],
): Options<OptionSpec> {
  const specs = new Map([...globals, ...command.options].map((spec) => [spec.name, spec]));
  const specOf = (name: string, kind: OptionSpec["kind"]): OptionSpec => {
    const spec = specs.get(name);
    if (spec?.kind === kind) return spec;
    throw new RangeError(`${command.name} declares no ${kind} -${name}`);
  };
  const options: Options<OptionSpec> = {
    flag(name) {
      const spec = specOf(name, "flag");
      return typeof given[name] === "boolean" ? given[name] : spec.kind === "flag" && spec.initial;
    },
    value(name) {
      specOf(name, "value");
      return typeof given[name] === "string" ? given[name] : undefined;
    },
    list(name) {
      specOf(name, "list");
      return lists.filter((one) => one.name === name).map(({ value }) => value);
    },
    declaring: (name) => (specs.has(name) ? options : undefined),
    lists,
  };
  return options;
}

/** `-auto-approve`, `-state=PATH`, `-var NAME=VALUE`: as OpenTofu's help has them. */
export function optionTermOf(spec: OptionSpec): string {
  if (spec.kind === "flag") return `-${spec.name}${spec.initial ? "=false" : ""}`;
  return spec.kind === "value" ? `-${spec.name}=${spec.value}` : `-${spec.name} ${spec.value}`;
}

/** The terms of the options for the help; its own (`-help`) have none declared. */
function optionTerm(specs: readonly OptionSpec[]): (option: Option) => string {
  const terms = new Map(specs.map((spec) => [spec.name, optionTermOf(spec)]));
  return (option) => {
    const name = option.long?.slice(2) ?? option.flags;
    return terms.get(name) ?? `-${name}`;
  };
}
