import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lines, quote, raw, script } from "./script.ts";

const sh = (text: string): string => execFileSync("/bin/sh", { input: text, encoding: "utf8" });

describe("script", () => {
  it("quotes strings, spreads arrays, inserts numbers and scripts", () => {
    const test = raw("[ -e /x ]");
    expect(script`if ${test}; then rm -f -- ${["a b", "c"]} ${"it's"} ${3}; fi`.text).toBe(
      "if [ -e /x ]; then rm -f -- 'a b' c 'it'\\''s' 3; fi",
    );
  });

  it("keeps backslashes for the shell, and takes away those that TypeScript needs", () => {
    expect(script`printf '%s\n' "\${x%/*}" \`date\` '\$'`.text).toBe(
      "printf '%s\\n' \"$" + "{x%/*}\" `date` '\\$'",
    );
  });

  it("puts scripts on lines of their own", () => {
    expect(lines([raw("a"), raw("b # c"), raw("d")]).text).toBe("a\nb # c\nd");
  });
});

describe("quote", () => {
  it("makes one word that the shell reads back as it was", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: "binary" }).filter((s) => !s.includes("\0")),
          { maxLength: 5 },
        ),
        (words) => {
          const printed = sh(`printf '%s|' ${words.map(quote).join(" ")}`);
          expect(printed).toBe(
            words.length === 0 ? "|" : words.map((w) => `${Buffer.from(w).toString()}|`).join(""),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it("refuses what no word can hold", () => {
    expect(() => quote("a\0b")).toThrow(RangeError);
  });

  it("makes a word of nothing, too", () => {
    expect(quote("")).toBe("''");
  });
});
