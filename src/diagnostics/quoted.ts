/**
 * @module Names in messages: on one line, whatever is in them.
 */

/** Quotes, backslashes, line ends, halves of characters and everything else that would not stand on a line as it is. */
const awkward = /["\\\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** The text in quotes, as HCL would write it. */
export const quoted = (text: string): string =>
  `"${text.replace(awkward, (one) => short[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
