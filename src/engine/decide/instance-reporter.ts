/**
 * @module Where what is wrong with an instance is: its address, its host, and the place in the configuration.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Body } from "../../hcl/tree.ts";
import type { Path } from "../../values/path.ts";
import type { Problems } from "../load/problems.ts";
import type { Subject } from "../load/subject.ts";

/** Reports what concerns one instance: with the place in the configuration where there is one, else its address. */
export function reporter(
  problems: Problems,
  { address, host }: Subject,
  body: Body | undefined,
  owner: SourceRange | undefined,
): (diagnostics: readonly Diagnostic[]) => boolean {
  return (diagnostics) =>
    problems.reportAll(
      diagnostics.map((diagnostic) => {
        if (diagnostic.range !== undefined) return diagnostic;
        const range = body === undefined ? undefined : (rangeOf(body, diagnostic.attribute) ?? owner);
        return {
          address,
          ...(host === undefined ? {} : { host }),
          ...(range === undefined ? {} : { range }),
          ...diagnostic,
        };
      }),
    );
}

/** Where the configuration sets what a path names. */
function rangeOf(body: Body, path: Path | undefined): SourceRange | undefined {
  const [step, ...rest] = path ?? [];
  if (step === undefined || !("attribute" in step)) return undefined;
  for (const item of body.items) {
    if (item.kind === "attribute" && item.name === step.attribute) return item.expression;
    if (item.kind === "block" && item.type === step.attribute) return rangeOf(item.body, rest) ?? item.header;
  }
  return undefined;
}
