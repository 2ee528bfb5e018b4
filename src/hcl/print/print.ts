/**
 * @module Syntax tree → canonical text, as `tofu fmt` would leave it.
 */
import { canonicalTokens } from "../format/format.ts";
import { layOut } from "../format/format-layout.ts";
import { type FormatToken, formatTokens, joinTokens } from "../format/format-tokens.ts";
import type { Body, Expression } from "../tree.ts";
import { print, printValue } from "./print-expression.ts";
import { indentHeredocs } from "./print-heredoc.ts";
import { quote } from "./quote.ts";

/**
 * Prints a file's items, a blank line around each block and none between attributes.
 *
 * Parsing the text gives an equal tree, except for what `tofu fmt` changes too (labels are quoted, an attribute's
 * `"${x}"` is `x`) and for what has no text of its own (parentheses that only the tree's shape implied).
 */
export function printBody(body: Body): string {
  const text = printItems(body);
  return finish(canonicalTokens(text) ?? laidOut(text));
}

/** Prints an expression by itself, without a line end; after a heredoc at its end there must come one. */
export function printExpression(expression: Expression): string {
  const { text, endsInHeredoc } = print(expression);
  // An end marker without its line end would be one more line of the heredoc.
  return endsInHeredoc ? finish(laidOut(`${text}\n`)).slice(0, -1) : finish(laidOut(text));
}

function laidOut(text: string): readonly FormatToken[] {
  const tokens = formatTokens(text);
  layOut(tokens);
  return tokens;
}

function finish(tokens: readonly FormatToken[]): string {
  indentHeredocs(tokens);
  return joinTokens(tokens);
}

function printItems({ items }: Body): string {
  let text = "";
  items.forEach((item, index) => {
    const afterBlock = items[index - 1]?.kind === "block";
    if (item.kind === "attribute") {
      text += `${afterBlock ? "\n" : ""}${item.name} = ${printValue(item.expression).text}\n`;
    } else {
      const header = [item.type, ...item.labels.map((label) => quote(label.value))].join(" ");
      text += `${index > 0 ? "\n" : ""}${header} {\n${printItems(item.body)}}\n`;
    }
  });
  return text;
}
