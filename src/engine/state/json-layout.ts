/**
 * @module How OpenTofu lays out and escapes the JSON of a state file, so that both engines write the same bytes.
 *
 * Source: Go's `encoding/json` (`MarshalIndent` with two spaces, HTML escaping on), which OpenTofu writes states with.
 */

const escaped = /[<>&\u2028\u2029]/g;

/** JSON text in the state file's escaping. The characters concerned occur in JSON only in strings. */
export function escapeLikeGo(json: string): string {
  return json.replace(escaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A string as the state file writes it. */
export const jsonString = (text: string): string => escapeLikeGo(JSON.stringify(text));

/**
 * JSON text over several lines.
 *
 * @param json text of one value, in any layout
 * @param depth how deep the line is on which it begins: each level is two spaces
 */
export function layOut(json: string, depth: number): string {
  let out = "";
  let level = depth;
  let copied = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(json, at);
      continue;
    }
    if (isSpace(code)) {
      out += json.slice(copied, at);
      copied = at + 1;
    } else if (code === 0x7b || code === 0x5b) {
      out += json.slice(copied, at + 1);
      const next = skipSpace(json, at + 1);
      if (isClosing(json.charCodeAt(next))) {
        out += json[next];
        at = next;
      } else {
        level++;
        out += newLine(level);
      }
      copied = at + 1;
    } else if (isClosing(code)) {
      level--;
      out += json.slice(copied, at) + newLine(level) + json[at];
      copied = at + 1;
    } else if (code === 0x2c) {
      out += json.slice(copied, at + 1) + newLine(level);
      copied = at + 1;
    } else if (code === 0x3a) {
      out += `${json.slice(copied, at + 1)} `;
      copied = at + 1;
    }
  }
  return out + json.slice(copied);
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d;
const newLine = (level: number): string => `\n${"  ".repeat(level)}`;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Position of a string's closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}
