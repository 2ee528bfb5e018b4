/**
 * @module Whether there is a blank between two tokens of a line.
 *
 * The rules, in their order, are those of `tofu fmt`: the first that applies decides.
 */

import { Kind } from "../scan/tokens.ts";
import { bracketChange, type FormatToken } from "./format-tokens.ts";

/**
 * @param before token before the subject, undefined at the beginning of a line or after an aligned `=`'s left side
 * @param after token after it, on the same line
 */
export function isSpaced(before: FormatToken | undefined, subject: FormatToken, after: FormatToken): boolean {
  const [left, right] = [subject.kind, after.kind];
  if (right === Kind.Newline) return false;
  if (left === Kind.Identifier && (right === Kind.OpenParenthesis || right === Kind.DoubleColon))
    return false;
  if (left === Kind.DoubleColon && right === Kind.Identifier) return false;
  if (left === Kind.Dot || right === Kind.Dot) return false;
  if (right === Kind.Comma || right === Kind.Ellipsis) return false;
  if (left === Kind.Comma) return true;
  if (touchesText(left, right)) return false;
  if (left === Kind.Identifier && subject.text === "in" && before?.kind === Kind.Identifier) return true;
  if (right === Kind.OpenBracket && isIndexable(subject)) return false;
  if (left === Kind.Not) return false;
  if (left === Kind.Minus) return before !== undefined && !precedesNegation(before.kind);
  if (left === Kind.OpenBrace || right === Kind.CloseBrace) {
    return !(left === Kind.OpenBrace && right === Kind.CloseBrace);
  }
  if (isSequenceOpening(left) && right === Kind.OpenBrace) return true;
  if (left === Kind.CloseBrace && right === Kind.CloseSequence) return true;
  if (left === Kind.CloseSequence && isSequenceOpening(right)) return false;
  return bracketChange(subject) <= 0 && bracketChange(after) >= 0;
}

/** Inside templates every blank is text. */
const touchesText = (left: Kind, right: Kind): boolean =>
  left === Kind.QuotedText ||
  left === Kind.PlainText ||
  left === Kind.OpenQuote ||
  left === Kind.OpenHeredoc ||
  right === Kind.QuotedText ||
  right === Kind.PlainText ||
  right === Kind.CloseQuote ||
  right === Kind.CloseHeredoc;

const isSequenceOpening = (kind: Kind): boolean =>
  kind === Kind.OpenInterpolation || kind === Kind.OpenDirective;

const isIndexable = (token: FormatToken): boolean =>
  token.kind === Kind.Identifier || token.kind === Kind.Number || bracketChange(token) < 0;

/** A minus after one of these cannot be a subtraction. */
function precedesNegation(kind: Kind): boolean {
  switch (kind) {
    case Kind.OpenParenthesis:
    case Kind.OpenBrace:
    case Kind.OpenBracket:
    case Kind.Assign:
    case Kind.Colon:
    case Kind.Comma:
    case Kind.Question:
    case Kind.Plus:
    case Kind.Minus:
    case Kind.Star:
    case Kind.Slash:
    case Kind.Percent:
    case Kind.Equal:
    case Kind.NotEqual:
    case Kind.Less:
    case Kind.LessOrEqual:
    case Kind.Greater:
    case Kind.GreaterOrEqual:
    case Kind.And:
    case Kind.Or:
    case Kind.Not:
      return true;
    default:
      return false;
  }
}
