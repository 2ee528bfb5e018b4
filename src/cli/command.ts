/**
 * @module What a command is made of.
 */
import type { OptionSpec, Options } from "./option.ts";
import type { Terminal } from "./terminal.ts";

/** 0 done, 1 error, 2 there are changes (`-detailed-exitcode`). */
export type ExitCode = 0 | 1 | 2;

export interface Context {
  readonly terminal: Terminal;
  readonly options: Options;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** Loads what carries it out: only the command that is called. */
  readonly load: () => Promise<(context: Context) => Promise<ExitCode>>;
}
