/**
 * @module The commands there are, in the order of the help. Nothing of a command is loaded before it is called.
 */
import type { Command } from "./command.ts";
import type { OptionSpec } from "./option.ts";

const json: OptionSpec = { kind: "flag", name: "json", initial: false, describe: "Print JSON" };

/** What every command takes; `-chdir` also stands before the command, as for OpenTofu. */
export const globalOptions: readonly OptionSpec[] = [
  { kind: "value", name: "chdir", value: "DIR", describe: "Work in this directory" },
  { kind: "flag", name: "no-color", initial: false, describe: "Print plain text" },
];

export const commands: readonly Command[] = [
  {
    name: "validate",
    summary: "Check the configuration: everything that can be known without a host",
    options: [json],
    load: async () => (await import("./commands/validate.ts")).runValidate,
  },
  {
    name: "version",
    summary: "Show the version",
    options: [json],
    load: async () => (await import("./commands/version.ts")).runVersion,
  },
];
