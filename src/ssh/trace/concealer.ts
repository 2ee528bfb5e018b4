/**
 * @module Finds what is secret in texts that are to be written down, in the forms in which it travels.
 */

export interface Concealer {
  /** Something that no text may show from now on. */
  add(secret: string): void;
  /** The text with {@link mask} in the place of everything that was added. */
  conceal(text: string): string;
  /** Whether something is too short to be looked for: texts that may hold it are not to be shown. */
  hasShort(): boolean;
}

export const mask = "(secret)";

/** What is shorter is in many words, and each place would tell what it is. */
const shortest = 4;

export function createConcealer(): Concealer {
  const forms = new Set<string>();
  let short = false;
  let pattern: RegExp | undefined;
  return {
    add(secret) {
      if (secret === "") return;
      short ||= secret.length < shortest;
      const before = forms.size;
      for (const form of formsOf(secret)) forms.add(form);
      if (forms.size > before) pattern = undefined;
    },
    conceal(text) {
      if (forms.size === 0) return text;
      pattern ??= patternOf(forms);
      return text.replace(pattern, mask);
    },
    hasShort: () => short,
  };
}

/** The longest first: of two that begin alike the whole one is found. */
const patternOf = (forms: ReadonlySet<string>): RegExp =>
  new RegExp(
    [...forms]
      .sort((a, b) => b.length - a.length)
      .map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join("|"),
    "g",
  );

/**
 * As it is, each of its lines, between a shell's quotes (a command for another user has two pairs), in JSON, in a URL, and
 * as base64, whose last characters depend on what follows.
 */
function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret, "utf8").toString("base64").replace(/=+$/, "");
  const sure = base64.slice(0, Math.floor((Buffer.byteLength(secret) * 4) / 3));
  const whole = [secret, ...secret.split(/\r?\n/)];
  const written = whole.flatMap((text) => [
    text,
    inQuotes(text),
    inQuotes(inQuotes(text)),
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(Buffer.from(text, "utf8").toString("utf8")),
  ]);
  return [...written, base64, sure].filter(({ length }) => length >= shortest);
}

/** What stands between a shell's single quotes. */
const inQuotes = (text: string): string => text.replaceAll("'", "'\\''");
