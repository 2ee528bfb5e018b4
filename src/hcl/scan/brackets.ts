/**
 * @module Which closing bracket belongs to which opening one, in a text whose brackets may not all match.
 *
 * Known before parsing, so that the parser can distinguish an unclosed bracket from a wrong token inside a good pair, and
 * can skip the inside of a pair when it recovers.
 */
import { Kind, type Tokens } from "./tokens.ts";

/** Closing kind by opening kind; 0 for what opens nothing. */
export const closerOf = new Uint8Array(64);
closerOf[Kind.OpenBrace] = Kind.CloseBrace;
closerOf[Kind.OpenBracket] = Kind.CloseBracket;
closerOf[Kind.OpenParenthesis] = Kind.CloseParenthesis;
closerOf[Kind.OpenQuote] = Kind.CloseQuote;
closerOf[Kind.OpenHeredoc] = Kind.CloseHeredoc;
closerOf[Kind.OpenInterpolation] = Kind.CloseSequence;
closerOf[Kind.OpenDirective] = Kind.CloseSequence;

const isCloser = new Uint8Array(64);
for (const closer of closerOf) if (closer !== 0) isCloser[closer] = 1;

/**
 * Index of the partner of each token that opens or closes something; -1 for others and for brackets without one.
 * A closing bracket that does not fit the innermost open one closes the next that it fits, and those in between
 * stay open; one that fits none is alone.
 */
export function matchBrackets({ kinds, count }: Tokens): Int32Array {
  const partners = new Int32Array(count).fill(-1);
  const open: number[] = [];
  /** How many of `open` wait for each closing kind: keeps a stray closing bracket from searching in vain. */
  const waiting = new Int32Array(64);
  for (let at = 0; at < count; at++) {
    const kind = kinds[at]!;
    if (closerOf[kind] !== 0) {
      open.push(at);
      waiting[closerOf[kind]!]!++;
    } else if (isCloser[kind] === 1 && waiting[kind]! > 0) {
      let opener = open.pop()!;
      while (closerOf[kinds[opener]!] !== kind) {
        waiting[closerOf[kinds[opener]!]!]!--;
        opener = open.pop()!;
      }
      waiting[kind]!--;
      partners[opener] = at;
      partners[at] = opener;
    }
  }
  return partners;
}
