/**
 * @module Source text → the same in canonical form: `conn3x fmt`.
 *
 * Gives what `tofu fmt` gives. Comments and the text of heredocs stay as they are.
 */
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { parseFile } from "../parse/parse.ts";
import { layOut } from "./format-layout.ts";
import { rewrite } from "./format-rewrite.ts";
import { type FormatToken, formatTokens, joinTokens } from "./format-tokens.ts";

/** The canonical form of a configuration file's text. A text with syntax errors is returned as it is. */
export function formatText(text: string): string {
  const tokens = canonicalTokens(text);
  return tokens === undefined ? text : joinTokens(tokens);
}

/** The tokens of the canonical form; undefined for a text with syntax errors. */
export function canonicalTokens(text: string): readonly FormatToken[] | undefined {
  const { body, diagnostics } = parseFile(new SourceFile("", text));
  if (hasErrors(diagnostics)) return undefined;
  const tokens = rewrite(formatTokens(text), body);
  layOut(tokens);
  return tokens;
}
