/**
 * @module Names in messages, always on one line.
 */

/** Characters that are escaped: quotes, backslashes, line ends, lone surrogates, control characters. */
const awkward = /["\\\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

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
