/**
 * @module Locations for diagnostics about an instance: its address, its host, and the location in the configuration.
 */
import { isAboutWholeHost } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Body } from "../../hcl/tree.ts";
import type { Problems } from "../evaluate/problems.ts";
import { settingRange } from "../evaluate/resources/setting-range.ts";
import type { Subject } from "../evaluate/resources/subject.ts";

/** Whom a diagnostic is about. */
export const concerned = ({ address, host }: Subject): Pick<Diagnostic, "address" | "host"> => ({
  address,
  ...(host === undefined ? {} : { host }),
});

/** Reports what concerns one instance: with the location in the configuration where there is one, else its address. */
export function reporter(
  problems: Problems,
  subject: Subject,
  body: Body | undefined,
  owner: SourceRange | undefined,
): (diagnostics: readonly Diagnostic[]) => boolean {
  const declared = body === undefined ? undefined : { body, range: owner };
  return (diagnostics) =>
    problems.reportAll(
      diagnostics.map((diagnostic) =>
        diagnostic.range === undefined ? placed(subject, declared, diagnostic) : diagnostic,
      ),
    );
}

/** A diagnostic about an instance, with all that is known of where that is. @param declared where it is configured */
export function placed(
  subject: Subject,
  declared: { readonly body: Body; readonly range: SourceRange | undefined } | undefined,
  diagnostic: Diagnostic,
): Diagnostic {
  // What is wrong with a host is not where one of its steps is.
  const range =
    declared === undefined || isAboutWholeHost(diagnostic)
      ? undefined
      : (settingRange(declared.body, diagnostic.attribute) ?? declared.range);
  return { ...concerned(subject), ...(range === undefined ? {} : { range }), ...diagnostic };
}
