/**
 * @module Declarations of options, and access to their values.
 */

interface OptionBase {
  /** Without dashes: `auto-approve`. */
  readonly name: string;
  /** One line for the help. */
  readonly describe: string;
  /** Understood, and not shown in the help: of OpenTofu's options the one value that changes nothing. */
  readonly hidden?: boolean;
}

export type OptionSpec =
  /** `-json`, `-refresh=false` */
  | (OptionBase & {
      readonly kind: "flag";
      readonly initial: boolean;
      /** What is wrong with a value; undefined when it is fine. */
      readonly check?: (value: boolean) => string | undefined;
    })
  /** `-state=PATH`; the last one given counts. */
  | (OptionBase & {
      readonly kind: "value";
      /** The placeholder of the value in the help: `PATH`. */
      readonly value: string;
      /** What is wrong with a value; undefined when it is fine. */
      readonly check?: (text: string) => string | undefined;
      /** Another spelling of the same, which the command gets. */
      readonly read?: (text: string) => string;
    })
  /** `-var a=1 -var b=2`: may be given again and again. */
  | (OptionBase & {
      readonly kind: "list";
      readonly value: string;
      readonly check?: (text: string) => string | undefined;
      readonly read?: (text: string) => string;
    });

/** The options that the help shows. */
export const shownOptions = (specs: readonly OptionSpec[]): readonly OptionSpec[] =>
  specs.filter(({ hidden = false }) => !hidden);

/** The given values, by the names of the options. */
export interface Options {
  /** Also the declared default. */
  flag(name: string): boolean;
  value(name: string): string | undefined;
  /** The values of an option of kind `list`, in the order given. */
  list(name: string): readonly string[];
  /** Whether the command declares such an option. */
  has(name: string): boolean;
  /** Every option of kind `list`, in the order given: `-var` and `-var-file` have one order. */
  readonly lists: readonly { readonly name: string; readonly value: string }[];
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
