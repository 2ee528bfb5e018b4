/**
 * @module For tests: expressions from text.
 */
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { parseExpression } from "../hcl/parse/parse.ts";
import type { Expression } from "../hcl/tree.ts";

/** @throws Error for what is no expression */
export function parsed(text: string): Expression {
  const { expression, diagnostics } = parseExpression(new SourceFile("expression", text));
  if (hasErrors(diagnostics)) throw new Error(`${text}: ${diagnostics[0]!.detail}`);
  return expression;
}
