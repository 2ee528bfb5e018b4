/**
 * @module Declarations of options, and access to their values.
 */

interface OptionBase<Name extends string> {
  /** Without dashes: `auto-approve`. */
  readonly name: Name;
  /** One line for the help. */
  readonly describe: string;
  /** Understood, and not shown in the help: of OpenTofu's options the one value that changes nothing. */
  readonly hidden?: boolean;
}

/** `-json`, `-refresh=false` */
export interface FlagSpec<Name extends string = string> extends OptionBase<Name> {
  readonly kind: "flag";
  readonly initial: boolean;
  /** What is wrong with a value; undefined when it is fine. */
  readonly check?: (value: boolean) => string | undefined;
}

interface TextSpec<Name extends string> extends OptionBase<Name> {
  /** The placeholder of the value in the help: `PATH`. */
  readonly value: string;
  /** What is wrong with a value; undefined when it is fine. */
  readonly check?: (text: string) => string | undefined;
  /** Another spelling of the same, which the command gets. */
  readonly read?: (text: string) => string;
}

/** `-state=PATH`; the last one given counts. */
export interface ValueSpec<Name extends string = string> extends TextSpec<Name> {
  readonly kind: "value";
}

/** `-var a=1 -var b=2`: may be given again and again. */
export interface ListSpec<Name extends string = string> extends TextSpec<Name> {
  readonly kind: "list";
}

export type OptionSpec = FlagSpec | ValueSpec | ListSpec;

/** The options that the help shows. */
export const shownOptions = (specs: readonly OptionSpec[]): readonly OptionSpec[] =>
  specs.filter(({ hidden = false }) => !hidden);

/** Every option of kind `list`, in the order given: `-var` and `-var-file` have one order. */
export interface GivenLists {
  readonly lists: readonly { readonly name: string; readonly value: string }[];
}

type NameOf<Spec extends OptionSpec, Kind extends OptionSpec["kind"]> = Extract<
  Spec,
  { readonly kind: Kind }
>["name"];

/**
 * The given values, by the names of the options.
 *
 * @typeParam Spec what is declared: the type of a command's options has no other names. Options with more names than a
 * function needs can be given to it.
 */
export interface Options<Spec extends OptionSpec> extends GivenLists {
  /** Also the declared default. */
  readonly flag: (name: NameOf<Spec, "flag">) => boolean;
  readonly value: (name: NameOf<Spec, "value">) => string | undefined;
  /** The values of an option of kind `list`, in the order given. */
  readonly list: (name: NameOf<Spec, "list">) => readonly string[];
  /** For what commands share of which not all have the option: undefined where the command does not declare it. */
  readonly declaring: <Other extends OptionSpec>(name: Other["name"]) => Options<Other> | undefined;
}

/** Word of a fixed list. */
export const oneOf =
  (...words: readonly string[]) =>
  (text: string): string | undefined =>
    words.includes(text) ? undefined : `must be ${words.join(" or ")}, not "${text}"`;

export const positiveInteger = (text: string): string | undefined =>
  /^[1-9]\d{0,8}$/.test(text) ? undefined : `must be a whole number of at least 1, not "${text}"`;

/** `30s`, `5m`, `1h`; a bare number is seconds. Milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const parts = /^(?<amount>\d{1,7}(?:\.\d+)?)(?<unit>ms|s|m|h)?$/.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[parts.unit ?? "s"] ?? 1000;
  return Number(parts.amount) * unit;
}

export const duration = (text: string): string | undefined =>
  parseDuration(text) === undefined ? `must be a duration such as 30s or 5m, not "${text}"` : undefined;
