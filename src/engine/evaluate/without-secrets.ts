/**
 * @module Removes sensitive values from diagnostics of the provider, which does not know which values are sensitive.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { createHiddenTexts, shortestHidden } from "../../diagnostics/hidden-texts.ts";
import { secretForms } from "../../diagnostics/secret-forms.ts";
import type { MarkedPath } from "../../values/marks.ts";
import { formatPath, type Path, within } from "../../values/path.ts";
import { textsOf } from "../../values/texts.ts";
import type { Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";

/** @param marks of `object`, which has none itself */
export function withoutSecrets(
  diagnostics: readonly Diagnostic[],
  object: Value,
  marks: readonly MarkedPath[],
): readonly Diagnostic[] {
  if (marks.length === 0 || diagnostics.length === 0) return diagnostics;
  const hidden = createHiddenTexts("(sensitive value)");
  for (const { path } of marks)
    for (const text of textsAt(object, path)) secretForms(text).forEach(hidden.add);
  const { hide } = hidden;
  // Where a setting has a text that is in many words, all that is said of it is left out.
  const shortensTold = ({ attribute = [] }: Diagnostic): boolean =>
    marks.some(
      ({ path }) =>
        attribute.length > 0 &&
        (within(attribute, path) || within(path, attribute)) &&
        textsAt(object, path).some(({ length }) => length < shortestHidden),
    );
  return diagnostics.map((diagnostic) => {
    const { summary, detail, withoutValues, attribute = [] } = diagnostic;
    const isMarked = marks.some(({ path }) => within(attribute, path) || within(path, attribute));
    const said = hide(
      isMarked && withoutValues !== undefined
        ? withoutValues
        : shortensTold(diagnostic)
          ? `${formatPath(attribute)} has a value that is sensitive, and wrong.`
          : detail,
    );
    return { ...diagnostic, summary: hide(summary), detail: said };
  });
}

/** The texts at a path, without empty ones. */
function textsAt(object: Value, path: Path): readonly string[] {
  const value = getPath(object, path);
  return value === undefined ? [] : textsOf(value).filter((text) => text !== "");
}
