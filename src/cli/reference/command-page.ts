/**
 * @module The page of a command.
 */
import { type Command, usageOf } from "../command.ts";
import { optionTermOf } from "../command-line/command-line.ts";
import { type OptionSpec, shownOptions } from "../command-line/option.ts";
import { code, fenced, page, table } from "./markdown.ts";

export const commandPath = ({ name }: Command): string => `commands/${name.replaceAll(" ", "-")}.md`;

export function commandPage(command: Command, globals: readonly OptionSpec[]): string {
  const { name, summary, describe = "", args = [], options } = command;
  return page(
    `# ${code(`conn3x ${name}`)}`,
    `${summary}.`,
    describe,
    fenced("text", `conn3x ${name} ${usageOf(command)}`),
    table(
      ["argument", "what it is"],
      args.map((arg) => [code(arg.name), `${arg.describe}.${arg.required ? "" : " May be left out."}`]),
    ),
    optionTable("option", options),
    optionTable("option of every command", globals),
  );
}

const optionTable = (title: string, options: readonly OptionSpec[]): string =>
  table(
    [title, "what it does"],
    shownOptions(options).map((option) => [code(optionTermOf(option)), `${option.describe}.`]),
  );
