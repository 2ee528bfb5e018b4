/**
 * @module Pieces of Markdown.
 */

/** A table; nothing when it has no rows. Cells are Markdown. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |\n`;
  return line(titles) + line(titles.map(() => "---")) + rows.map(line).join("");
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export const code = (text: string): string => `\`${text}\``;

export const fenced = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.endsWith("\n") ? text : `${text}\n`}\`\`\`\n`;

/** Parts with an empty line between; empty ones are left out. */
export const page = (...parts: readonly string[]): string =>
  parts
    .filter((part) => part !== "")
    .map((part) => (part.endsWith("\n") ? part : `${part}\n`))
    .join("\n");
