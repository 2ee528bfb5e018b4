/**
 * @module Blocks of a configuration that the embedded engine does not act on.
 */
import type { Configuration } from "../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { isOwnBackend } from "../state/backend/backends.ts";

export interface ForeignBlock {
  /** The block's header: the same object each time, also for a module that is called twice. */
  readonly range: SourceRange;
  /** A sentence that says what this engine does not do. */
  readonly why: string;
}

/** @param isCalled whether the configuration is a called module, which cannot configure the provider */
export function foreignBlocks(
  { foreign, backend, providers }: Configuration,
  isCalled: boolean,
): readonly ForeignBlock[] {
  const found: ForeignBlock[] = foreign.map(({ block, why }) => ({ range: block.header, why }));
  if (backend !== undefined && !isOwnBackend(backend.type)) {
    const why = `The embedded engine does not have the backend ${quoted(backend.type)} in this version.`;
    found.push({ range: backend.range, why });
  }
  if (isCalled)
    for (const { header } of providers)
      found.push({ range: header, why: "Only the root module may configure the provider here." });
  return found;
}

/** Such blocks as errors: nothing is planned with them. */
export const foreignProblems = (configuration: Configuration, isCalled: boolean): readonly Diagnostic[] =>
  foreignBlocks(configuration, isCalled).map(({ range, why }) =>
    errorDiagnostic("Not for the embedded engine", `${why} Use -engine=tofu.`, { range }),
  );
