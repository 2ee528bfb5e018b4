/**
 * @module A rough scan of a configuration's words, for what must work on text that does not parse.
 */
import { identifierPattern } from "../values/identifier.ts";

export interface Token {
  readonly kind: "word" | "string" | "number" | "heredoc" | "comment" | "newline" | "sign";
  /** Offsets in UTF-16 code units, the second exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** A string that its line or the file ends, instead of a quote. */
  readonly broken?: true;
}

const pieces = new RegExp(
  String.raw`(?<space>[ \t\r\f\v]+)|(?<newline>\n)|(?<comment>#[^\n]*|//[^\n]*|/\*[\s\S]*?(?:\*/|$))|<<-?(?<heredoc>${identifierPattern})[^\n]*(?:\n|$)|(?<quote>")|(?<word>${identifierPattern})|(?<number>[0-9][0-9.eE+-]*)|(?<sign>==|=>|!=|<=|>=|::|[\s\S])`,
  "uy",
);

/** Without white space but for line ends. @param isJson whether `${` in a string begins no code of its own */
export function* tokensOf(text: string, isJson: boolean): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    pieces.lastIndex = at;
    const found = pieces.exec(text);
    if (found === null) return;
    const start = at;
    const { space, heredoc, quote } = found.groups!;
    at = pieces.lastIndex;
    if (space !== undefined) continue;
    if (heredoc !== undefined) {
      at = heredocEnd(text, at, heredoc);
      yield { kind: "heredoc", start, end: at, text: "" };
    } else if (quote !== undefined) {
      const { end, broken } = stringEnd(text, at, isJson);
      at = end;
      yield { kind: "string", start, end, text: text.slice(start, end), ...(broken ? { broken } : {}) };
    } else yield { kind: kindOf(found.groups!), start, end: at, text: found[0] };
  }
}

const kindOf = (groups: Readonly<Record<string, string | undefined>>): Token["kind"] =>
  (["newline", "comment", "word", "number"] as const).find((kind) => groups[kind] !== undefined) ?? "sign";

function heredocEnd(text: string, from: number, marker: string): number {
  const end = new RegExp(`^[ \\t]*${marker}[ \\t]*\\r?$`, "gmu");
  end.lastIndex = from;
  return end.exec(text) === null ? text.length : end.lastIndex;
}

const inString = /\\[^\n]|\$\$\{|%%\{|[$%]\{|["\n{}]/gu;

/** @param from behind the opening quote */
function stringEnd(text: string, from: number, isJson: boolean): { end: number; broken: boolean } {
  // What is open inside the string: code, braces in code, and strings in code.
  const open: ("code" | "quotes")[] = ["quotes"];
  inString.lastIndex = from;
  for (let found = inString.exec(text); found !== null; found = inString.exec(text)) {
    const [sign] = found;
    const isText = open.at(-1) === "quotes";
    if (sign === "\n" && isText) return { end: found.index, broken: true };
    if (sign === '"') isText ? open.pop() : open.push("quotes");
    else if (isText && !isJson && /^[$%]\{$/.test(sign)) open.push("code");
    else if (!isText && sign.endsWith("{")) open.push("code");
    else if (!isText && sign === "}") open.pop();
    if (open.length === 0) return { end: found.index + 1, broken: false };
  }
  return { end: text.length, broken: true };
}
