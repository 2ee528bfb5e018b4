/**
 * @module What stands in a tree for an expression that was not understood.
 */
import type { SourceRange } from "../diagnostics/source.ts";
import type { Expression } from "./tree.ts";

/** Root name of it. No identifier has a space in it, and nothing with errors is printed. */
export const brokenRoot = "NOT UNDERSTOOD";

/** In place of what is wrong, which was reported: a value of which nothing is known. */
export const brokenAt = ({ file, start, end }: SourceRange): Expression => ({
  kind: "variable",
  name: brokenRoot,
  file,
  start,
  end,
});

/** Whether it stands for something that was not understood. */
export const isBroken = (expression: Expression): boolean =>
  expression.kind === "variable" && expression.name === brokenRoot;
