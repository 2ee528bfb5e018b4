/**
 * @module How the parts of the compiler report diagnostics.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

export type Report = (diagnostic: Diagnostic) => void;
