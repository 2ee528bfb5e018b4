/**
 * @module Regular expressions in Go's syntax (RE2), as JavaScript ones.
 *
 * Source: the syntax description of Go's `regexp/syntax`. What RE2 does not have (back references, looking around) is
 * refused here too, so that a circuit behaves the same in every engine.
 */
import { type FunctionError, functionError } from "../function-definition.ts";

const posixClasses: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7F",
  blank: "\\t ",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** Escapes that mean something else, or nothing, in JavaScript's Unicode mode. `d`, `s` and `w` are ASCII in both but `s`. */
const escapes: Readonly<Record<string, string>> = {
  A: "(?<![\\s\\S])",
  z: "(?![\\s\\S])",
  a: "\\x07",
  s: "[\\t\\n\\f\\r ]",
  S: "[^\\t\\n\\f\\r ]",
  C: "[\\s\\S]",
};
const classEscapes: Readonly<Record<string, string>> = { a: "\\x07", s: "\\t\\n\\f\\r " };

/**
 * @param flags `g` or nothing; `i`, `m` and `s` come from the pattern
 * @returns an error for a pattern that Go would refuse, or that cannot be expressed
 */
export function goRegExp(pattern: string, flags: "" | "g" = ""): RegExp | FunctionError {
  const inline = /^\(\?([imsU]+)\)/.exec(pattern);
  const given = inline?.[1] ?? "";
  if (given.includes("U")) return functionError("the regular expression flag U is not supported");
  const translation = translate(pattern.slice(inline?.[0].length ?? 0));
  if (typeof translation !== "string") return translation;
  try {
    return new RegExp(translation, `${flags}${[...new Set(given)].join("")}u`);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /, "") : String(error);
    return functionError(`invalid regexp pattern: ${reason}`);
  }
}

function translate(pattern: string): string | FunctionError {
  let result = "";
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const special = /^(?:\\Q([\s\S]*?)(?:\\E|$)|\\[pP](?:\{\^?\w+\}|\w)|\\([\s\S])|\(\?([^:)]*)|\[)/.exec(
      rest,
    );
    if (special === null) {
      const character = rest[0]!;
      // Without `m`, Go's `$` is the end of the text, as JavaScript's is.
      result += character === "}" || character === "]" ? `\\${character}` : character;
      at += 1;
      // A repetition's braces are no literal ones.
      const braces = /^\{\d+(?:,\d*)?\}\??/.exec(rest);
      if (braces !== null) {
        result = result.slice(0, -1) + braces[0];
        at += braces[0].length - 1;
      } else if (character === "{") {
        result = `${result.slice(0, -1)}\\{`;
      }
      continue;
    }
    const step = translateSpecial(rest, special);
    if ("error" in step) return step;
    result += step.text;
    at += step.length;
  }
  return result;
}

type Step = { readonly text: string; readonly length: number } | FunctionError;

function translateSpecial(rest: string, special: RegExpExecArray): Step {
  const [found, quoted, letter, group] = special;
  if (found === "[") return translateClass(rest);
  if (quoted !== undefined) return { text: escapeLiteral(quoted), length: found.length };
  if (group !== undefined) return translateGroup(found, group);
  if (letter === undefined) return { text: unicodeClass(found), length: found.length };
  if (/[1-9]/.test(letter))
    return functionError(`invalid regexp pattern: invalid escape sequence: \\${letter}`);
  const hex = /^\\x\{([0-9A-Fa-f]+)\}/.exec(rest);
  if (hex !== null) return { text: `\\u{${hex[1]}}`, length: hex[0].length };
  return { text: escapes[letter] ?? plainEscape(letter), length: found.length };
}

/** JavaScript's Unicode mode allows a backslash only where it means something. */
function plainEscape(letter: string): string {
  if (/[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(letter)) return `\\${letter}`;
  return letter;
}

function translateGroup(found: string, group: string): Step {
  const named = /^P?<([A-Za-z_]\w*)>/.exec(group);
  if (named !== null) return { text: `(?<${named[1]}>`, length: 2 + named[0].length };
  if (group === "") return { text: "(?:", length: found.length + 1 };
  if (/^[imsU-]+$/.test(group)) {
    return functionError("regular expression flags are supported only at the start of a pattern");
  }
  return functionError(`invalid regexp pattern: invalid or unsupported Perl syntax: (?${group.slice(0, 2)}`);
}

function translateClass(rest: string): Step {
  let text = "[";
  let at = 1;
  if (rest[at] === "^") {
    text += "^";
    at++;
  }
  for (let first = true; at < rest.length; first = false) {
    const part =
      /^(?:\[:(\^?)(\w+):\]|\\[pP](?:\{\^?\w+\}|\w)|\\x\{([0-9A-Fa-f]+)\}|\\([\s\S])|[\s\S])/u.exec(
        rest.slice(at),
      )!;
    const [found, negated, posix, hex, letter] = part;
    if (found === "]" && !first) return { text: `${text}]`, length: at + 1 };
    at += found.length;
    if (posix !== undefined) {
      const set = posixClasses[posix];
      if (set === undefined || negated !== "")
        return functionError(`invalid regexp pattern: invalid character class range: ${found}`);
      text += set;
    } else if (hex !== undefined) text += `\\u{${hex}}`;
    else if (letter !== undefined) text += classEscapes[letter] ?? classEscape(letter);
    else if (/^\\[pP]/.test(found)) text += unicodeClass(found);
    else text += /[[\]{}()/|]/.test(found) ? `\\${found}` : found;
  }
  return functionError("invalid regexp pattern: missing closing ]");
}

function classEscape(letter: string): string {
  return /[A-Za-z0-9^$\\.*+?()[\]{}|/-]/.test(letter) ? `\\${letter}` : letter;
}

/** `\pL`, `\p{^Greek}` */
function unicodeClass(found: string): string {
  const name = found.slice(2).replace(/[{}]/g, "");
  const negated = (found[1] === "P") !== name.startsWith("^");
  const property = name.replace("^", "");
  return `\\${negated ? "P" : "p"}{${property.length <= 2 ? property : `Script=${property}`}}`;
}

function escapeLiteral(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
}

/**
 * What stands for a match in Go's replacement syntax: `$1`, `${1}`, `$name`, `$$`. A name goes as far as it can: `$1x`
 * is the group "1x", which there is not, so nothing.
 */
export function expandReplacement(replacement: string, match: RegExpMatchArray): string {
  return replacement.replace(/\$(?:(\$)|(\w+)|\{(\w+)\})/g, (_, dollar, bare, braced) => {
    if (dollar !== undefined) return "$";
    const name = String(bare ?? braced);
    return (/^\d+$/.test(name) ? match[Number(name)] : match.groups?.[name]) ?? "";
  });
}
