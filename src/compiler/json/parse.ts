/**
 * @module JSON text → tree (RFC 8259). The first mistake ends it: what follows one in JSON is guesswork.
 */
import { type Diagnostic, errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../../diagnostics/source.ts";
import { wellFormed } from "../../values/well-formed.ts";
import type { JsonMember, JsonNode, JsonString } from "./tree.ts";

export type ParsedJson = { readonly node: JsonNode } | { readonly problem: Diagnostic };

export function parseJson(file: SourceFile): ParsedJson {
  const scanner: Scanner = { file, text: file.text, at: 0, depth: 0 };
  try {
    const node = readValue(scanner);
    skipSpace(scanner);
    if (scanner.at < scanner.text.length) fail(scanner, "The value is complete here. Delete what follows.");
    return { node };
  } catch (error) {
    if (error instanceof Mistake) return { problem: error.diagnostic };
    throw error;
  }
}

/** Deeper nesting than any configuration has would exhaust the stack. */
const deepest = 500;

interface Scanner {
  readonly file: SourceFile;
  readonly text: string;
  at: number;
  depth: number;
}

/** Thrown to leave the recursion at the first error. */
class Mistake extends Error {
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.summary);
  }
}

function fail(scanner: Scanner, detail: string, start = scanner.at): never {
  const end = Math.min(Math.max(scanner.at, start + 1), scanner.text.length);
  const range = { file: scanner.file, start: Math.min(start, end), end };
  throw new Mistake(errorDiagnostic("This is not JSON", detail, { range }));
}

const rangeFrom = ({ file, at }: Scanner, start: number): SourceRange => ({ file, start, end: at });

function skipSpace(scanner: Scanner): void {
  while (/[ \t\r\n]/.test(scanner.text[scanner.at] ?? "")) scanner.at++;
}

function readValue(scanner: Scanner): JsonNode {
  skipSpace(scanner);
  const start = scanner.at;
  const first = scanner.text[start];
  if (first === '"') return readString(scanner);
  if (first === "{" || first === "[") {
    if (++scanner.depth > deepest) fail(scanner, `It is nested more than ${deepest} levels deep.`);
    const node = first === "{" ? readObject(scanner) : readArray(scanner);
    scanner.depth--;
    return node;
  }
  const word = /^(?:true|false|null)\b/.exec(scanner.text.slice(start, start + 6))?.[0];
  if (word !== undefined) {
    scanner.at += word.length;
    return { kind: "keyword", value: JSON.parse(word) as true | false | null, ...rangeFrom(scanner, start) };
  }
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(
    scanner.text.slice(start, start + 400),
  )?.[0];
  if (number === undefined) return fail(scanner, "Here there must be a value.");
  scanner.at += number.length;
  return { kind: "number", text: number, ...rangeFrom(scanner, start) };
}

function readObject(scanner: Scanner): JsonNode {
  const start = scanner.at;
  const members: JsonMember[] = [];
  readItems(scanner, "}", () => {
    if (scanner.text[scanner.at] !== '"') fail(scanner, "Here there must be a name in double quotes.");
    const key = readString(scanner);
    skipSpace(scanner);
    if (scanner.text[scanner.at] !== ":") fail(scanner, "Here there must be a colon, and then the value.");
    scanner.at++;
    members.push({ key, value: readValue(scanner) });
  });
  return { kind: "object", members, ...rangeFrom(scanner, start) };
}

function readArray(scanner: Scanner): JsonNode {
  const start = scanner.at;
  const items: JsonNode[] = [];
  readItems(scanner, "]", () => void items.push(readValue(scanner)));
  return { kind: "array", items, ...rangeFrom(scanner, start) };
}

/** The text from the opening bracket through the closing one. */
function readItems(scanner: Scanner, close: "}" | "]", readItem: () => void): void {
  scanner.at++;
  skipSpace(scanner);
  if (scanner.text[scanner.at] === close) {
    scanner.at++;
    return;
  }
  for (;;) {
    skipSpace(scanner);
    readItem();
    skipSpace(scanner);
    const next = scanner.text[scanner.at];
    if (next === close) break;
    if (next !== ",") fail(scanner, `Here there must be a comma, or ${close} as the end.`);
    scanner.at++;
  }
  scanner.at++;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function readString(scanner: Scanner): JsonString {
  const start = scanner.at++;
  let value = "";
  const offsets: number[] = [];
  for (;;) {
    const at = scanner.at;
    const character = scanner.text[at];
    if (character === undefined || character < " ")
      return fail(scanner, "The text does not end on its line.", start);
    if (character === '"') break;
    offsets.push(at);
    scanner.at++;
    value += character === "\\" ? readEscape(scanner, at) : character;
  }
  offsets.push(scanner.at++);
  return { kind: "string", value: wellFormed(value), offsets, ...rangeFrom(scanner, start) };
}

function readEscape(scanner: Scanner, start: number): string {
  const letter = scanner.text[scanner.at++] ?? "";
  const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined;
  if (simple !== undefined) return simple;
  const digits = /^[0-9a-fA-F]{4}/.exec(scanner.text.slice(scanner.at, scanner.at + 4))?.[0];
  if (letter !== "u" || digits === undefined) {
    return fail(
      scanner,
      'A backslash is followed by one of "\\/bfnrt, or by u and four hexadecimal digits.',
      start,
    );
  }
  scanner.at += 4;
  return String.fromCharCode(Number.parseInt(digits, 16));
}
