/**
 * @module JSON text → tree (RFC 8259). The first mistake ends it: what follows one in JSON is guesswork.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../../diagnostics/source.ts";
import { JsonScanner } from "../../values/json/json-scanner.ts";
import { deepest, type JsonExpected, JsonSyntaxError } from "../../values/json/json-syntax-error.ts";
import type { JsonMember, JsonNode, JsonString } from "./tree.ts";

export type ParsedJson = { readonly node: JsonNode } | { readonly problem: Diagnostic };

export function parseJson(file: SourceFile): ParsedJson {
  const reading = { file, scanner: new JsonScanner(file.text) };
  try {
    const node = readValue(reading);
    reading.scanner.finish();
    return { node };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { problem: notJson(file, error) };
    throw error;
  }
}

const advice: Readonly<Record<JsonExpected, string>> = {
  value: "Here there must be a value.",
  object: "Here there must be an object.",
  array: "Here there must be an array.",
  string: "Here there must be a text in double quotes.",
  key: "Here there must be a name in double quotes.",
  colon: "Here there must be a colon, and then the value.",
  itemOrEndOfObject: "Here there must be a comma, or } as the end.",
  itemOrEndOfArray: "Here there must be a comma, or ] as the end.",
  closingQuote: "The text does not end on its line.",
  escape: 'A backslash is followed by one of "\\/bfnrt, or by u and four hexadecimal digits.',
  lessNesting: `It is nested more than ${deepest} levels deep.`,
  end: "The value is complete here. Delete what follows.",
};

function notJson(file: SourceFile, { expected, at, start: from }: JsonSyntaxError): Diagnostic {
  const end = Math.min(Math.max(at, from + 1), file.text.length);
  const range = { file, start: Math.min(from, end), end };
  return errorDiagnostic("This is not JSON", advice[expected], { range });
}

interface Reading {
  readonly file: SourceFile;
  readonly scanner: JsonScanner;
}

function readValue(reading: Reading): JsonNode {
  const { file, scanner } = reading;
  const start = scanner.position;
  const range = (): SourceRange => ({ file, start, end: scanner.end });
  switch (scanner.kind()) {
    case "object": {
      const members: JsonMember[] = [];
      scanner.object((key, from, to) => {
        members.push({ key: stringNode(file, key, from, to), value: readValue(reading) });
      });
      return { kind: "object", members, ...range() };
    }
    case "array": {
      const items: JsonNode[] = [];
      scanner.array(() => void items.push(readValue(reading)));
      return { kind: "array", items, ...range() };
    }
    case "string":
      return stringNode(file, scanner.string(), start, scanner.end);
    case "number":
      return { kind: "number", text: scanner.number(), ...range() };
    default:
      return { kind: "keyword", value: scanner.word(), ...range() };
  }
}

/** @param start offset of the opening quote of a string that was read, `end` after the closing one */
function stringNode(file: SourceFile, value: string, start: number, end: number): JsonString {
  const offsets: number[] = [];
  for (let at = start + 1; at < end - 1; at += unitLength(file.text, at)) offsets.push(at);
  offsets.push(end - 1);
  return { kind: "string", value, offsets, file, start, end };
}

/** Characters in which one UTF-16 code unit of a string is written. */
function unitLength(text: string, at: number): number {
  if (text[at] !== "\\") return 1;
  return text[at + 1] === "u" ? 6 : 2;
}
