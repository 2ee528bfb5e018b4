/**
 * @module Rewrites patterns that Go accepts to what the library accepts: groups that share a name, and
 * Unicode classes by their long names in any spelling.
 *
 * Source: Go's regexp/syntax as of Go 1.25, which OpenTofu is built with.
 */

export interface PreparedPattern {
  readonly pattern: string;
  /** The original names of renamed groups. */
  readonly names: ReadonlyMap<string, string>;
}

/** Tokens: quoted text, a Unicode class, an escape, a named group, a character class or its end, anything else. */
const piece =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|[A-Za-z])|\\[\s\S]|\(\?P?<\w+>|\[:\^?\w+:\]|\[\^?\]?|[\s\S]/gu;

export function preparedPattern(pattern: string): PreparedPattern {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  let inBrackets = false;
  const prepared = pattern.replace(piece, (text) => {
    if (/^\\[pP]/.test(text)) return unicodeClass(text, inBrackets);
    if (text.startsWith("(?") && !inBrackets) return uniqueGroup(text, seen, names);
    if (text.startsWith("[") && !text.startsWith("[:")) inBrackets = !inBrackets || !text.endsWith("]");
    else if (text === "]") inBrackets = false;
    return text;
  });
  return { pattern: prepared, names };
}

function uniqueGroup(text: string, seen: Set<string>, names: Map<string, string>): string {
  const name = text.replace(/^\(\?P?<|>$/g, "");
  if (!seen.has(name)) {
    seen.add(name);
    return text;
  }
  let other = name;
  for (let count = 2; seen.has(other); count++) other = `${name}_${count}`;
  seen.add(other);
  names.set(other, name);
  return `(?P<${other}>`;
}

/** `\p{…}`, `\P{…}` or `\pL`. */
function unicodeClass(text: string, inBrackets: boolean): string {
  const {
    sign = "p",
    caret = "",
    name = "",
  } = /^\\(?<sign>[pP])\{?(?<caret>\^?)(?<name>[^}]*)\}?$/.exec(text)?.groups ?? {};
  const key = name.replace(/[ _-]/g, "").toLowerCase();
  if (key === "ascii") {
    const range = (sign === "P") === (caret === "^") ? "\\x00-\\x7F" : "\\x{80}-\\x{10FFFF}";
    return inBrackets ? range : `[${range}]`;
  }
  return `\\${sign}{${caret}${categories.get(key) ?? capitalized(key)}}`;
}

const capitalized = (key: string): string =>
  key === "lc" ? "LC" : `${key.charAt(0).toUpperCase()}${key.slice(1)}`;

/** General categories by their long names (PropertyValueAliases.txt of the Unicode Character Database). */
const categories: ReadonlyMap<string, string> = new Map(
  Object.entries({
    C: "other",
    Cc: "control cntrl",
    Cf: "format",
    Cn: "unassigned",
    Co: "privateuse",
    Cs: "surrogate",
    L: "letter",
    LC: "casedletter",
    Ll: "lowercaseletter",
    Lm: "modifierletter",
    Lo: "otherletter",
    Lt: "titlecaseletter",
    Lu: "uppercaseletter",
    M: "mark combiningmark",
    Mc: "spacingmark",
    Me: "enclosingmark",
    Mn: "nonspacingmark",
    N: "number",
    Nd: "decimalnumber digit",
    Nl: "letternumber",
    No: "othernumber",
    P: "punctuation punct",
    Pc: "connectorpunctuation",
    Pd: "dashpunctuation",
    Pe: "closepunctuation",
    Pf: "finalpunctuation",
    Pi: "initialpunctuation",
    Po: "otherpunctuation",
    Ps: "openpunctuation",
    S: "symbol",
    Sc: "currencysymbol",
    Sk: "modifiersymbol",
    Sm: "mathsymbol",
    So: "othersymbol",
    Z: "separator",
    Zl: "lineseparator",
    Zp: "paragraphseparator",
    Zs: "spaceseparator",
  }).flatMap(([category, names]) => names.split(" ").map((name) => [name, category] as const)),
);
