/**
 * @module A value of an input variable as it is given from outside.
 */
import type { SourceRange } from "../../../diagnostics/source.ts";

export interface VariableInput {
  readonly name: string;
  readonly text: string;
  /**
   * How `text` is to be read. Absent or `raw`: from `-var` or `TF_VAR_`; a string for a variable of a primitive type
   * or none, else an expression. `expression`: HCL source from a variables file, whatever the variable's type. `broken`:
   * not at all; what is wrong with it was reported.
   */
  readonly form?: "raw" | "expression" | "broken";
  /** For messages: `-var`, `TF_VAR_workers`, a file's name. */
  readonly source: string;
  /** Where the value is written in a variables file: in HCL it is `text` there. */
  readonly range?: SourceRange;
}

/** Where a value is from, in a message: `TF_VAR_workers`, `prod.tfvars line 3`. */
export const locationOfInput = ({ source, range }: Pick<VariableInput, "source" | "range">): string =>
  range === undefined ? source : `${source} line ${range.file.lineOf(range.start)}`;
