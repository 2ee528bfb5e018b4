/**
 * @module Blocks of a configuration that this engine does not act on.
 */
import type { Configuration } from "../../compiler/model.ts";
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";

/** @param isCalled whether it is a module: that cannot configure the provider */
export const foreignBlocks = (
  { foreign, providers }: Configuration,
  isCalled: boolean,
): Configuration["foreign"] => [
  ...foreign,
  ...(isCalled
    ? providers.map((block) => ({ block, why: "Only the root module may configure the provider here." }))
    : []),
];

/** Such blocks as errors: nothing is planned with them. */
export const foreignProblems = (configuration: Configuration, isCalled: boolean): readonly Diagnostic[] =>
  foreignBlocks(configuration, isCalled).map(({ block, why }) =>
    errorDiagnostic("Not for the embedded engine", `${why} Use -engine=tofu.`, { range: block.header }),
  );
