/**
 * @module What is missing where a text is not JSON. Source: RFC 8259.
 */

/** Deeper nesting than this is refused rather than running out of stack. */
export const deepest = 500;

/** What a text lacks to be JSON; `itemOrEnd…` after an item of an object or array, `end` after the whole value. */
export type JsonExpected =
  | "value"
  | "object"
  | "array"
  | "string"
  | "key"
  | "colon"
  | "itemOrEndOfObject"
  | "itemOrEndOfArray"
  | "closingQuote"
  | "escape"
  | "lessNesting"
  | "end";

const expectations: Readonly<Record<JsonExpected, string>> = {
  value: "a value",
  object: "an object",
  array: "an array",
  string: "a string",
  key: "a key in quotes",
  colon: "a colon",
  itemOrEndOfObject: 'a comma or "}"',
  itemOrEndOfArray: 'a comma or "]"',
  closingQuote: "a string with its closing quote and no control characters",
  escape: "a proper escape",
  lessNesting: `no more than ${deepest} levels`,
  end: "the end of the text",
};

/** The text is not JSON. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = "JsonSyntaxError";

  /**
   * @param at offset at which it should have been
   * @param start offset from which on the text is wrong: of a string, its opening quote
   */
  constructor(
    readonly expected: JsonExpected,
    readonly at: number,
    readonly start = at,
  ) {
    super(`expected ${expectations[expected]} at offset ${at}`);
  }
}
