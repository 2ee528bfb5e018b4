/**
 * @module Finds what is secret in texts that are to be written down, in the forms in which it travels.
 */

import { createHiddenTexts, shortestHidden } from "../../diagnostics/hidden-texts.ts";
import { secretForms } from "../../diagnostics/secret-forms.ts";

export interface Concealer {
  /** Something that no text may show from now on. */
  add(secret: string): void;
  /**
   * The text with the mask instead of everything that was added; nothing of the text where that fails.
   * @param isCut whether more follows that is not here
   */
  conceal(text: string, isCut?: boolean): string;
  /** Whether something is too short to be looked for: texts that may hold it are not to be shown. */
  hasShort(): boolean;
}

export const mask = "(secret)";

/** @param standsFor what the text has instead of a secret */
export function createConcealer(standsFor = mask): Concealer {
  const hidden = createHiddenTexts(standsFor);
  let short = false;
  let failed = false;
  return {
    add(secret) {
      if (secret === "") return;
      short ||= secret.length < shortestHidden;
      try {
        for (const form of secretForms(secret)) hidden.add(form);
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
