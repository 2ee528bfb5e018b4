/**
 * @module Texts of hosts and configurations in Markdown, where they must mean themselves: no link, mention, image or tag comes of
 * them. Source: GitHub Flavored Markdown, "Entity and numeric character references", "Fenced code blocks".
 */
import { visible } from "../../../diagnostics/visible.ts";

/** One line of text, whatever is in it; also in a cell of a table. */
export const plainText = (text: string): string =>
  visible(text)
    .replace(/\s+/g, " ")
    .replace(/[^\p{L}\p{N} ,;'"%/=()]/gu, (character) => `&#${character.codePointAt(0)};`);

/** Lines as they are, in a block that no line of them ends. */
export function fenced(lines: readonly string[], language: string): string {
  const shown = lines.map((line) => visible(line).replace(/\n/g, " "));
  const longest = Math.max(
    2,
    ...shown.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${shown.join("\n")}\n${fence}\n`;
}

/** Closed until somebody opens it. */
export const folded = (summary: string, content: string): string =>
  `<details><summary>${plainText(summary)}</summary>\n\n${content}\n</details>\n`;
