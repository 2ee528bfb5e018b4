/**
 * @module The command line → which command, with which options.
 */
import { CommanderError, InvalidArgumentError, Option, Command as Parser } from "commander";
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest.ts";
import { normalizeArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import type { OptionSpec, Options } from "./option.ts";

export type Parsed =
  | { readonly kind: "command"; readonly command: Command; readonly options: Options }
  | { readonly kind: "help"; readonly text: string; readonly asked: boolean }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

/** @param argv without the names of interpreter and program */
export function parseCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
  globals: readonly OptionSpec[],
): Parsed {
  const specs = [...globals, ...commands.flatMap(({ options }) => options)];
  const normal = normalizeArguments(argv, {
    flags: new Set(specs.filter(({ kind }) => kind === "flag").map(({ name }) => name)),
    values: new Set(specs.filter(({ kind }) => kind !== "flag").map(({ name }) => name)),
  });
  let called: Omit<Extract<Parsed, { readonly kind: "command" }>, "kind"> | undefined;
  let help = "";
  const lists: { readonly name: string; readonly value: string }[] = [];
  const program = createParser(commands, globals, lists, {
    write: (text) => {
      help += text;
    },
    call: (command, given) => {
      called = { command, options: optionsOf(command, globals, given, lists) };
    },
  });
  try {
    program.parse(normal, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code.startsWith("commander.help")) {
      return { kind: "help", text: help, asked: error.exitCode === 0 };
    }
    return { kind: "problem", problem: problemOf(error, normal, commands, globals) };
  }
  return called === undefined ? { kind: "help", text: help, asked: false } : { kind: "command", ...called };
}

interface Hooks {
  readonly write: (text: string) => void;
  readonly call: (command: Command, given: Readonly<Record<string, unknown>>) => void;
}

function createParser(
  commands: readonly Command[],
  globals: readonly OptionSpec[],
  lists: { readonly name: string; readonly value: string }[],
  { write, call }: Hooks,
): Parser {
  const program = new Parser("conn3x")
    .usage("[-chdir=DIR] COMMAND [options]")
    .description("Plan and apply what is inside your Linux hosts.")
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} })
    .configureHelp({ optionTerm: optionTerm(globals), subcommandTerm: (sub) => sub.name() })
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [COMMAND]", "Show what a command does and takes");
  addOptions(program, globals, lists);
  for (const command of commands) {
    const sub = program
      .command(command.name)
      .description(command.summary)
      .usage("[options]")
      .configureHelp({ optionTerm: optionTerm([...globals, ...command.options]), showGlobalOptions: true })
      .action(() => call(command, sub.optsWithGlobals()));
    addOptions(sub, command.options, lists);
  }
  return program;
}

function addOptions(
  parser: Parser,
  specs: readonly OptionSpec[],
  lists: { readonly name: string; readonly value: string }[],
): void {
  for (const spec of specs) {
    const option = new Option(`--${spec.name} <value>`, spec.describe);
    // Values keep the option's own name: `no-color` is a flag here, not the negation of `color`.
    option.negate = false;
    option.attributeName = () => spec.name;
    option.argParser((text: string) => {
      if (spec.kind === "list") lists.push({ name: spec.name, value: text });
      return spec.kind === "flag" ? flagValue(text) : checkedValue(spec, text);
    });
    parser.addOption(option);
  }
}

function flagValue(text: string): boolean {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw new InvalidArgumentError(`It is true or false, not "${text}".`);
}

function checkedValue(spec: OptionSpec, text: string): string {
  const wrong = spec.kind === "value" ? spec.check?.(text) : undefined;
  if (wrong !== undefined) throw new InvalidArgumentError(`It ${wrong}.`);
  return text;
}

function optionsOf(
  command: Command,
  globals: readonly OptionSpec[],
  given: Readonly<Record<string, unknown>>,
  lists: Options["lists"],
): Options {
  const specs = new Map([...globals, ...command.options].map((spec) => [spec.name, spec]));
  const specOf = (name: string, kind: OptionSpec["kind"]): OptionSpec => {
    const spec = specs.get(name);
    if (spec?.kind === kind) return spec;
    throw new RangeError(`${command.name} declares no ${kind} -${name}`);
  };
  return {
    flag(name) {
      const spec = specOf(name, "flag");
      return typeof given[name] === "boolean" ? given[name] : spec.kind === "flag" && spec.initial;
    },
    value(name) {
      specOf(name, "value");
      return typeof given[name] === "string" ? given[name] : undefined;
    },
    lists,
  };
}

/** `-auto-approve`, `-state=PATH`, `-var NAME=VALUE`: as OpenTofu's help has them. */
function termOf(spec: OptionSpec): string {
  if (spec.kind === "flag") return `-${spec.name}${spec.initial ? "=false" : ""}`;
  return spec.kind === "value" ? `-${spec.name}=${spec.value}` : `-${spec.name} ${spec.value}`;
}

/** The terms of the options for the help; its own (`-help`) have none declared. */
function optionTerm(specs: readonly OptionSpec[]): (option: Option) => string {
  const terms = new Map(specs.map((spec) => [spec.name, termOf(spec)]));
  return (option) => {
    const name = option.long?.slice(2) ?? option.flags;
    return terms.get(name) ?? `-${name}`;
  };
}

/** What the parser found wrong, in the words of everything else. */
function problemOf(
  error: CommanderError,
  argv: readonly string[],
  commands: readonly Command[],
  globals: readonly OptionSpec[],
): Diagnostic {
  const name = argv.find((argument) => !argument.startsWith("-"));
  const command = commands.find((each) => each.name === name);
  const quoted = /'(?<quoted>[^']*)'/.exec(error.message)?.groups?.quoted ?? "";
  const option = quoted.replace(/^--/, "").replace(/[= <].*$/s, "");
  const help = `Run conn3x ${command === undefined ? "help" : `help ${command.name}`} to see what there is.`;
  switch (error.code) {
    case "commander.unknownCommand":
      return errorDiagnostic(`Unknown command "${quoted}"`, `${guess(quoted, commands)}${help}`);
    case "commander.unknownOption":
      return errorDiagnostic(
        `Unknown option -${option}`,
        `${guess(option, [...globals, ...(command?.options ?? [])], "-")}${help}`,
      );
    case "commander.optionMissingArgument":
      return errorDiagnostic(`Option -${option} needs a value`, help);
    case "commander.invalidArgument":
      return errorDiagnostic(
        `Option -${option} cannot have this value`,
        error.message.replace(/^.*? is invalid\. /s, ""),
      );
    case "commander.excessArguments":
      return errorDiagnostic(
        "Too many arguments",
        `conn3x ${command?.name ?? ""} takes options only. ${help}`,
      );
    default:
      return errorDiagnostic("Wrong command line", error.message.replace(/^error: /, ""));
  }
}

function guess(name: string, known: readonly { readonly name: string }[], dash = ""): string {
  const sentence = didYouMean(
    name,
    known.map((each) => each.name),
  ).trim();
  return sentence === "" ? "" : `${sentence.replace('"', `"${dash}`)} `;
}
