/**
 * @module Source text → the same in canonical form: `conn3x fmt`.
 *
 * Gives what `tofu fmt` gives. Comments and the text of heredocs stay as they are.
 */
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../diagnostics/source.ts";
import { layOut } from "./format-layout.ts";
import { rewrite } from "./format-rewrite.ts";
import { type FormatToken, formatTokens } from "./format-tokens.ts";
import { parseFile } from "./parse.ts";

/** The canonical form of a configuration file's text. A text with syntax errors is returned as it is. */
export function formatText(text: string): string {
  const { body, diagnostics } = parseFile(new SourceFile("", text));
  if (hasErrors(diagnostics)) return text;
  const tokens = rewrite(formatTokens(text), body);
  layOut(tokens);
  return joinTokens(tokens);
}

const joinTokens = (tokens: readonly FormatToken[]): string => {
  const parts: string[] = [];
  for (const { spaces, text } of tokens) {
    if (spaces > 0) parts.push(" ".repeat(spaces));
    parts.push(text);
  }
  return parts.join("");
};
