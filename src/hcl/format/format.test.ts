import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatText } from "./format.ts";

// The outputs were written by `tofu fmt` 1.12.6. Terraform 1.11 gives the same, with a line end where the last is missing.
const fixtures = new URL("../../../test/fixtures/hcl/format/", import.meta.url);
const names = readdirSync(fixtures).flatMap((name) => (name.endsWith(".in.hcl") ? [name.slice(0, -7)] : []));

describe("as tofu fmt", () => {
  test.each(names)("%s", (name) => {
    const read = (kind: string): string => readFileSync(new URL(`${name}.${kind}.hcl`, fixtures), "utf8");
    const formatted = formatText(read("in"));
    expect(formatted).toBe(read("out"));
    expect(formatText(formatted)).toBe(formatted);
  });
});

test("a text with errors stays as it is", () => {
  expect(formatText("a  =  \nb   = 1\n")).toBe("a  =  \nb   = 1\n");
});

describe("better than tofu fmt", () => {
  test("nested interpolations are unwrapped at once", () => {
    expect(formatText('a = "${"${b}"}"\n')).toBe("a = b\n");
  });

  test("a comment inside an interpolation does not cut the expression off", () => {
    expect(formatText('a = "${b + # c\n1}"\n')).toBe("a = (b + # c\n1)\n");
  });

  test("two pairs of parentheses are not taken for one", () => {
    expect(formatText('a = "${(b)\n+ (c)}"\n')).toBe("a = ((b)\n+ (c))\n");
  });

  test("a heredoc at the end keeps its marker's line to itself", () => {
    const text = 'a = "${b\n== <<EOT\nx\nEOT\n}"\n';
    const formatted = formatText(text);
    expect(formatted).toBe("a = (b\n  == <<EOT\nx\nEOT\n)\n");
    expect(formatText(formatted)).toBe(formatted);
  });

  test("labels with a dollar sign stay", () => {
    expect(formatText('a "b$c" {\n}\n')).toBe('a "b$c" {\n}\n');
  });

  test("constant indexes that are no numbers or texts stay", () => {
    expect(formatText("a = b[true]\n")).toBe("a = b[true]\n");
  });
});
