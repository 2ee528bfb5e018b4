/**
 * @module The error for a part of the language that this version does not support.
 */
import { type Diagnostic, errorDiagnostic } from "./diagnostic.ts";
import { quoted } from "./quoted.ts";
import type { SourceRange } from "./source.ts";

/** @param where for messages: `a circuit` */
export const notYet = (name: string, where: string, range: SourceRange): Diagnostic =>
  errorDiagnostic(
    `${quoted(name)} is not supported by this version`,
    `${quoted(name)} in ${where} belongs to the language, but this version of Conn3x does not act on it. Remove it.`,
    { range },
  );
