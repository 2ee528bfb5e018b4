import { describe, expect, it } from "vitest";
import { showValue } from "../../values/show.ts";
import { evaluate } from "../evaluate.ts";
import { scopeOf } from "../scope.ts";
import { parsed } from "../testing.ts";
import { functionTable } from "./table.ts";

const functions = functionTable({ baseDirectory: "/nonexistent" });

function decoded(yaml: string, use = "yamldecode(text)"): string {
  const text = evaluate(parsed(JSON.stringify(yaml)), scopeOf({})).value;
  const outcome = evaluate(parsed(use), scopeOf({ text }, functions));
  return outcome.diagnostics[0]?.detail ?? showValue(outcome.value).replace(/\s+/g, " ");
}

// Scalars and styles are compared with a real engine in test/differential.
describe("yamldecode", () => {
  it("follows anchors, the nearest one before", () => {
    expect(decoded("- &a 1\n- *a\n- &a 2\n- *a")).toBe("[ 1, 1, 2, 2, ]");
    expect(decoded("base: &b {k: 1}\nitem:\n  <<: *b\n  l: 2")).toContain('"item" = { "k" = 1 "l" = 2 }');
  });

  it("refuses escapes for halves of characters, in pairs too", () => {
    for (const text of ['"\\ud800"', 'a: "x\\\\\\uDFFF"', '["\\ud83d\\ude00"]', '"\\U0000d800": 1'])
      expect(decoded(text)).toContain("found invalid Unicode character escape code");
    expect(decoded('"\\\\ud800 \\u00e9"')).toBe('"\\\\ud800 é"');
    expect(decoded("'\\ud800'")).toBe('"\\\\ud800"');
  });

  it("refuses anchors that do not work", () => {
    expect(decoded("&a [*a]")).toContain('cannot refer to anchor "a" from inside its own value');
    expect(decoded("[*b, &b 1]")).toMatch(/anchor/);
  });

  it("does not follow aliases of aliases to billions of nodes", () => {
    const level = (i: number) =>
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(", ")}]`;
    const levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]", level(1), level(2), level(3)];
    expect(decoded(levels.join("\n"), "length(yamldecode(text).a3)")).toBe("9");
    for (let i = 4; i < 30; i++) levels.push(level(i));
    expect(decoded(levels.join("\n"), "length(yamldecode(text).a29)")).toContain("excessive aliasing");
  });

  it("says where a mistake is", () => {
    expect(decoded("a: 1\nb: [")).toContain("on line 2, column");
    expect(decoded("a: 1\n---\nb: 2")).toContain("unexpected extra content");
  });
});
