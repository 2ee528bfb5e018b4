/**
 * @module The node that replaces an expression that was not understood.
 */
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Expression } from "../tree.ts";

/** Root name of it. No identifier has a space in it, and nothing with errors is printed. */
export const brokenRoot = "NOT UNDERSTOOD";

/** The node in place of something wrong that was reported: nothing is known of its value. */
export const brokenAt = ({ file, start, end }: SourceRange): Expression => ({
  kind: "variable",
  name: brokenRoot,
  file,
  start,
  end,
});

/** Whether the expression is such a node. */
export const isBroken = (expression: Expression): boolean =>
  expression.kind === "variable" && expression.name === brokenRoot;
