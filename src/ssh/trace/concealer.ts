/**
 * @module Finds what is secret in texts that are to be written down, in the forms in which it travels.
 */

import { createHiddenTexts, shortestHidden } from "../../diagnostics/hidden-texts.ts";

export interface Concealer {
  /** Something that no text may show from now on. */
  add(secret: string): void;
  /**
   * The text with {@link mask} in the place of everything that was added; nothing of the text where that fails.
   * @param isCut whether more follows that is not here
   */
  conceal(text: string, isCut?: boolean): string;
  /** Whether something is too short to be looked for: texts that may hold it are not to be shown. */
  hasShort(): boolean;
}

export const mask = "(secret)";

export function createConcealer(): Concealer {
  const hidden = createHiddenTexts(mask);
  let short = false;
  let failed = false;
  return {
    add(secret) {
      if (secret === "") return;
      short ||= secret.length < shortestHidden;
      try {
        for (const form of formsOf(secret)) hidden.add(form);
      } catch {
        failed = true;
      }
    },
    conceal(text, isCut) {
      if (failed) return nothing;
      try {
        return hidden.hide(text, isCut);
      } catch {
        return nothing;
      }
    },
    hasShort: () => short,
  };
}

/** What stands for a text in which secrets could not be looked for. */
const nothing = "(not shown: there are too many secrets to be left out)";

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
  return [...written, base64, sure];
}

/** What stands between a shell's single quotes. */
const inQuotes = (text: string): string => text.replaceAll("'", "'\\''");
