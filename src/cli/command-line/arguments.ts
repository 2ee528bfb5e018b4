/**
 * @module OpenTofu's spelling of options (`-auto-approve`, `-refresh=false`, `-var 'a=b'`) made into the one that the
 * command-line parser knows (`--auto-approve=true`, `--refresh=false`, `--var=a=b`).
 */

/** What is needed to distinguish values of options from arguments. Names are without dashes. */
export interface Spellings {
  /** Options that are given alone or with `=true` or `=false`. */
  readonly flags: ReadonlySet<string>;
  /** Options that take the next argument as their value when they have no `=`. */
  readonly values: ReadonlySet<string>;
}

/** Short names of options. */
const shortNames: ReadonlyMap<string, string> = new Map([["K", "ask-become-pass"]]);

/** An option of one or two dashes: its name, and its value when it is given with `=`. */
const option = /^--?(?<name>[A-Za-z][A-Za-z0-9-]*)(?:=(?<value>[\s\S]*))?$/;

/**
 * Single and double dashes mean the same, as for Go programs. An option's own value is never looked at, whatever it
 * looks like. Options that are not known keep their name, so that the parser can complain about them. What follows
 * `--` is left alone.
 */
export function normalizeArguments(argv: readonly string[], { flags, values }: Spellings): string[] {
  const normal: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!;
    if (argument === "--") return [...normal, ...argv.slice(i)];
    const { name: written, value } = option.exec(argument)?.groups ?? {};
    const name = written === undefined ? undefined : (shortNames.get(written) ?? written);
    if (name === undefined || name === "h") normal.push(argument);
    else if (flags.has(name)) normal.push(`--${name}=${value ?? "true"}`);
    else if (value !== undefined) normal.push(`--${name}=${value}`);
    else if (values.has(name) && i + 1 < argv.length) normal.push(`--${name}=${argv[++i]}`);
    else normal.push(`--${name}`);
  }
  return normal;
}
