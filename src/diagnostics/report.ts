/**
 * @module How a problem that is found reaches whoever shows it.
 */
import type { Diagnostic } from "./diagnostic.ts";

/** Takes a problem; never throws. */
export type Report = (diagnostic: Diagnostic) => void;
