/**
 * @module POSIX `sh` text with every interpolated value quoted.
 *
 * ```ts
 * script`stat -c %a -- ${path}`            // a string becomes one single-quoted word
 * script`rm -f -- ${["a b", "c"]}`          // an array becomes several words
 * script`if ${test}; then echo yes; fi`     // a Script is inserted as it is
 * script`dir=\${path%/*}`                   // the shell's own ${…}: the backslash is TypeScript's and goes away
 * ```
 *
 * Any other backslash reaches the shell as it is written.
 */

/** What distinguishes a script from any other object, also one that another copy of this module has made: a plug-in's. */
const isShellText: unique symbol = Symbol.for("conn3x.script") as never;

/** Shell text that is safe to run: only {@link script} and {@link raw} make one. */
export class Script {
  readonly [isShellText] = true;
  constructor(readonly text: string) {}
}

/** What may stand in a `script` template. */
export type Interpolated = string | number | readonly string[] | Script;

/** Builds a {@link Script}; see the module's description. */
export function script(strings: TemplateStringsArray, ...values: readonly Interpolated[]): Script {
  let text = literal(strings.raw[0]!);
  values.forEach((value, i) => {
    text += interpolate(value) + literal(strings.raw[i + 1]!);
  });
  return new Script(text);
}

/** In a template `${` and a backquote can only be written with a backslash. */
const literal = (raw: string): string => raw.replace(/\\(\$\{|`)/g, "$1");

/** Shell text taken as it is. Never pass anything that a user or a host supplied. */
export const raw = (text: string): Script => new Script(text);

/** Joins scripts, each on lines of its own. */
export const lines = (scripts: readonly Script[]): Script =>
  new Script(scripts.map((s) => s.text).join("\n"));

/**
 * One word of POSIX `sh`, whatever the characters of `text`.
 * @throws RangeError when `text` holds a NUL character, which no shell word can
 */
export function quote(text: string): string {
  if (text.includes("\0")) throw new RangeError("a shell word cannot hold a NUL character");
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function interpolate(value: Interpolated): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return quote(value);
  return isShellText in value ? value.text : value.map(quote).join(" ");
}
