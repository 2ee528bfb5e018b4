/**
 * @module Where what is wrong with an instance is: its address, its host, and the place in the configuration.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Body } from "../../hcl/tree.ts";
import type { Problems } from "../load/problems.ts";
import { settingRange } from "../load/setting-range.ts";
import type { Subject } from "../load/subject.ts";

/** Whom a diagnostic is about. */
export const concerned = ({ address, host }: Subject): Pick<Diagnostic, "address" | "host"> => ({
  address,
  ...(host === undefined ? {} : { host }),
});

/** Reports what concerns one instance: with the place in the configuration where there is one, else its address. */
export function reporter(
  problems: Problems,
  subject: Subject,
  body: Body | undefined,
  owner: SourceRange | undefined,
): (diagnostics: readonly Diagnostic[]) => boolean {
  return (diagnostics) =>
    problems.reportAll(
      diagnostics.map((diagnostic) => {
        if (diagnostic.range !== undefined) return diagnostic;
        const range = body === undefined ? undefined : (settingRange(body, diagnostic.attribute) ?? owner);
        return {
          ...concerned(subject),
          ...(range === undefined ? {} : { range }),
          ...diagnostic,
        };
      }),
    );
}
