/**
 * @module Messages without the secrets that the text has which they are about: `password = hunter2` is a reference to
 * nothing, and a block without its brace is quoted.
 */
import { concealedTexts } from "./concealed.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { createHiddenTexts } from "./hidden-texts.ts";

/** The diagnostic without what excerpts of its lines do not show. */
export function withoutConcealed(diagnostic: Diagnostic): Diagnostic {
  const { range, summary, detail } = diagnostic;
  const texts = range === undefined ? [] : concealedTexts(range);
  if (texts.length === 0) return diagnostic;
  const hidden = createHiddenTexts("(sensitive value)", 1);
  for (const text of texts) {
    hidden.add(text);
    hidden.add(`"${text}"`);
  }
  return { ...diagnostic, summary: hidden.hide(summary), detail: hidden.hide(detail) };
}
