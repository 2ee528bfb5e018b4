import { expect, test } from "vitest";
import { SourceFile } from "../diagnostics/source.ts";
import { parseExpression } from "./parse/parse.ts";
import { eachPart, noNames } from "./parts.ts";

/** The text of each direct part, with the names bound there. */
function parts(text: string): readonly string[] {
  const { expression } = parseExpression(new SourceFile("test", text));
  const found: string[] = [];
  eachPart(expression, noNames, (part, bound) =>
    found.push([text.slice(part.start, part.end), ...[...bound].sort()].join(" with ")),
  );
  return found;
}

test.each<[string, readonly string[]]>([
  ["var", []],
  ["-1", ["1"]],
  ["a.b[c]", ["a.b", "c"]],
  ["f(a, b...)", ["a", "b"]],
  ["a + b", ["a", "b"]],
  ["a ? b : c", ["a", "b", "c"]],
  ["[a, (b)]", ["a", "(b)"]],
  ["{ a = b, (c) = d }", ["b", "(c)", "d"]],
  ["a[*].b[c][*][d].e", ["a", "c", "d"]],
  ["[for k, v in a : b if c]", ["a", "b with k with v", "c with k with v"]],
  ["{ for v in a : b => c }", ["a", "b with v", "c with v"]],
  [
    '"x${a}%{ if b }${c}%{ else }${d}%{ endif }%{ for v in e }${f}%{ endfor }"',
    ["a", "b", "c", "d", "e", "f with v"],
  ],
])("%s", (text, expected) => {
  expect(parts(text)).toEqual(expected);
});
