/**
 * @module JSON objects put together from texts, so that numbers keep all of their digits.
 */
import { escapeLikeGo, jsonString } from "../../engine/index.ts";

/** Members are JSON texts; undefined ones are left out. */
export function objectText(members: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(members).filter(
    (member): member is [string, string] => member[1] !== undefined,
  );
  return `{${present.map(([name, text]) => `${jsonString(name)}:${text}`).join(",")}}`;
}

export const listText = (texts: readonly string[]): string => `[${texts.join(",")}]`;

/** JSON text of plain data. */
export const plainText = (data: unknown): string => escapeLikeGo(JSON.stringify(data));
