/**
 * @module A value of an input variable as it is given from outside.
 */

export interface VariableInput {
  readonly name: string;
  readonly text: string;
  /**
   * How `text` is to be read. Absent or `raw`: from `-var` or `TF_VAR_`; a string for a variable of a primitive type
   * or none, else an expression. `expression`: HCL source from a variables file, whatever the variable's type.
   */
  readonly form?: "raw" | "expression";
  /** For messages: `-var`, `TF_VAR_workers`. */
  readonly source: string;
}
