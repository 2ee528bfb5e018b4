/**
 * @module A JSON tree with the position of every node.
 */
import type { SourceRange } from "../../diagnostics/source.ts";

export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonKeyword;

export interface JsonObject extends SourceRange {
  readonly kind: "object";
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: JsonString;
  readonly value: JsonNode;
}

export interface JsonArray extends SourceRange {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

export interface JsonString extends SourceRange {
  readonly kind: "string";
  readonly value: string;
  /** Offset in the file of each UTF-16 code unit of the value, and of the end of the string. */
  readonly offsets: readonly number[];
}

export interface JsonNumber extends SourceRange {
  readonly kind: "number";
  readonly text: string;
}

export interface JsonKeyword extends SourceRange {
  readonly kind: "keyword";
  readonly value: true | false | null;
}
