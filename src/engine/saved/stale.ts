/**
 * @module Errors about saved plans that are no longer valid.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";

/** @param why a sentence: what it rests on and how that is another by now */
export const stale = (why: string): Diagnostic =>
  errorDiagnostic("Saved plan is stale", `${why} Nothing was done. Plan again.`);
