/**
 * @module Text that UTF-8 can hold. Escapes of JSON can name halves of characters, which no string of OpenTofu's has.
 */

/** Halves of characters that stand alone become U+FFFD each, as Go's JSON reader has it. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");
