/**
 * @module Errors in command lines, as diagnostics.
 */
import type { CommanderError } from "commander";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/nearest.ts";
import { type Command, usageOf } from "../command.ts";
import { absentOptions } from "./absent-options.ts";
import type { CommandSet } from "./command-line.ts";

/** @param argv as typed; `normal` the same in the parser's spelling */
export function problemOf(
  error: CommanderError,
  argv: readonly string[],
  normal: readonly string[],
  set: CommandSet,
): Diagnostic {
  const command = commandIn(normal, set);
  const quoted = /'(?<quoted>[^']*)'/.exec(error.message)?.groups?.quoted ?? "";
  const option = quoted.replace(/^-{1,2}/, "").replace(/[= <].*$/s, "");
  const help = `Run conn3x help${command === undefined ? "" : ` ${command.name.split(" ")[0]}`} to see what there is.`;
  switch (error.code) {
    case "commander.unknownCommand":
      return unknownCommand(quoted, normal, set);
    case "commander.unknownOption":
      return unknownOption(typed(option, argv), option, [...set.globals, ...(command?.options ?? [])], help);
    case "commander.optionMissingArgument":
      return errorDiagnostic(`Option -${option} needs a value`, help);
    case "commander.missingArgument":
      return errorDiagnostic(`${quoted || "Something"} is missing`, `${calledAs(command)} ${help}`);
    case "commander.invalidArgument":
      return errorDiagnostic(
        `Option -${option} cannot have this value`,
        error.message.replace(/^.*? is invalid\. /s, ""),
      );
    case "commander.excessArguments":
      return errorDiagnostic("Too many arguments", `${excess(command)} ${help}`);
    default:
      return errorDiagnostic("Wrong command line", error.message.replace(/^error: /, ""));
  }
}

/** `conn3x help nope`: the parser would show its general help. */
export function unknownHelp(normal: readonly string[], set: CommandSet): Diagnostic | undefined {
  const [first, name, ...more] = normal.filter((argument) => !argument.startsWith("-"));
  if (first !== "help" || name === undefined || name === "help" || more.length > 1) return undefined;
  return firstWords(set).includes(name) ? undefined : unknownCommand(name, [], set);
}

/** No command, because an option took it for its value: `conn3x -chdir plan`. */
export function noCommand(argv: readonly string[], set: CommandSet): Diagnostic | undefined {
  const swallowed = argv.findIndex((argument, i) => {
    const option = set.globals.find(({ name }) => argument === `-${name}` || argument === `--${name}`);
    return option?.kind === "value" && firstWords(set).includes(argv[i + 1] ?? "");
  });
  const [option, value] = argv.slice(swallowed);
  if (swallowed === -1) return undefined;
  return errorDiagnostic(
    "There is no command",
    `${option} takes a value, so "${value}" was taken for it. Write ${option}=VALUE, then the command.`,
  );
}

function unknownOption(
  shown: string,
  option: string,
  known: readonly { readonly name: string }[],
  help: string,
): Diagnostic {
  const absent = absentOptions[option];
  if (absent !== undefined) {
    return errorDiagnostic(`This version has no ${shown}`, `OpenTofu has it. ${absent} ${help}`);
  }
  return errorDiagnostic(`Unknown option ${shown}`, `${guess(option, known, "-")}${help}`);
}

/** The option as it was typed, without its value. */
const typed = (option: string, argv: readonly string[]): string =>
  argv
    .map((argument) => argument.replace(/=.*$/s, ""))
    .find((argument) => argument.replace(/^--?/, "") === option) ?? `-${option}`;

function unknownCommand(name: string, normal: readonly string[], set: CommandSet): Diagnostic {
  const [group] = normal.filter((argument) => !argument.startsWith("-"));
  const inGroup = group !== name && set.groups.some((one) => one.name === group);
  const known = inGroup
    ? set.commands.flatMap((one) => (one.name.startsWith(`${group} `) ? [one.name.split(" ")[1]!] : []))
    : firstWords(set);
  const words = known.map((word) => ({ name: word }));
  return errorDiagnostic(
    `Unknown command "${inGroup ? `${group} ` : ""}${name}"`,
    `${guess(name, words)}Run conn3x help${inGroup ? ` ${group}` : ""} to see what there is.`,
  );
}

const excess = (command: Command | undefined): string =>
  (command?.args ?? []).length === 0
    ? `conn3x ${command?.name ?? ""} takes options only.`
    : calledAs(command);

/** What may be given again ends in dots already. */
const calledAs = (command: Command | undefined): string =>
  `It is called as: conn3x ${command === undefined ? "" : `${command.name} ${usageOf(command)}`}.`.replace(
    /\.{4}$/,
    "...",
  );

const firstWords = ({ commands }: CommandSet): readonly string[] => [
  ...new Set(commands.map(({ name }) => name.split(" ")[0]!)),
];

/** The command that the first words name. */
function commandIn(normal: readonly string[], { commands }: CommandSet): Command | undefined {
  const [first, second] = normal.filter((argument) => !argument.startsWith("-"));
  return commands.find(({ name }) => name === first || name === `${first} ${second}`);
}

function guess(name: string, known: readonly { readonly name: string }[], dash = ""): string {
  const sentence = didYouMean(
    name,
    known.map((each) => each.name),
  ).trim();
  return sentence === "" ? "" : `${sentence.replace('"', `"${dash}`)} `;
}
