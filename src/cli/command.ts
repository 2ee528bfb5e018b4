/**
 * @module The interface of a command.
 */
import type { FlagSpec, ListSpec, OptionSpec, Options, ValueSpec } from "./command-line/option.ts";
import type { GlobalOption } from "./command-line/shared-options.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** 0 done, 1 error, 2 there are changes (`-detailed-exitcode`, `drift`), 3 not formatted (`fmt -check`, as OpenTofu). */
export type ExitCode = 0 | 1 | 2 | 3;

/** @typeParam Spec the options that it may look at */
export interface Context<Spec extends OptionSpec = never> {
  readonly terminal: Terminal;
  readonly options: Options<Spec>;
  /** The arguments without options, in order. */
  readonly args: readonly string[];
}

/** Something that is given without a name. */
export interface ArgumentSpec {
  /** Its placeholder in the help: `ADDRESS`. */
  readonly name: string;
  readonly describe: string;
  readonly required?: boolean;
  /** All that is left: only of the last one. */
  readonly many?: boolean;
  /** Why an argument is invalid; undefined when it is valid. */
  readonly check?: (text: string) => string | undefined;
  /** Another spelling of the same, which the command gets. */
  readonly read?: (text: string) => string;
}

export interface Command {
  /** One word, or two for a command of a group: `state list`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Whole sentences for its help: what the summary leaves open. */
  readonly describe?: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Whether it is about no configuration, and so needs no plug-ins. Default false. */
  readonly isWithoutConfiguration?: boolean;
  /** Loads what carries it out: only the command that is called. */
  readonly load: () => Promise<(context: Context<OptionSpec>) => Promise<ExitCode>>;
}

/** What counts of a declaration: its kind and its name. Nothing of one whose type has lost the name. */
type Declared<Spec extends OptionSpec> = string extends Spec["name"]
  ? never
  : Spec extends FlagSpec<infer Name>
    ? FlagSpec<Name>
    : Spec extends ValueSpec<infer Name>
      ? ValueSpec<Name>
      : Spec extends ListSpec<infer Name>
        ? ListSpec<Name>
        : never;

/** A command, whose code can look at no other options than those that are declared. */
export const command = <const Spec extends OptionSpec>(
  declared: Omit<Command, "options" | "load"> & {
    readonly options: readonly Spec[];
    readonly load: () => Promise<(context: Context<Declared<Spec> | GlobalOption>) => Promise<ExitCode>>;
  },
): Command => declared;

/** Commands that share a first word. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
}

/** `[options] ADDRESS [NAME...]`: what comes after the command's name. */
export function usageOf({ args = [] }: Pick<Command, "args">): string {
  const words = args.map(({ name, required = false, many = false }) => {
    const word = `${name}${many ? "..." : ""}`;
    return required ? word : `[${word}]`;
  });
  return ["[options]", ...words].join(" ");
}
