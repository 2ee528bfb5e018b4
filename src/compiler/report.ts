/**
 * @module Where the parts of the compiler put what they find wrong.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

export type Report = (diagnostic: Diagnostic) => void;
