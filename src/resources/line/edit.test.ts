import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlainObject } from "../../values/plain.ts";
import { findLine, hasUnwanted, withLine, withoutUnwanted } from "./edit.ts";
import { joinLines, splitLines } from "./text-lines.ts";

const wish = (settings: PlainObject): PlainObject => ({
  line: null,
  regexp: null,
  backrefs: null,
  insert_after: null,
  insert_before: null,
  ...settings,
});
const edited = (content: string, settings: PlainObject, before?: string) =>
  withLine(Buffer.from(content), wish(settings), before).toString();

describe("withLine", () => {
  test.each<[string, string, PlainObject, string]>([
    ["goes to the end", "a\nb\n", { line: "c" }, "a\nb\nc\n"],
    ["makes the first line of an empty file", "", { line: "c" }, "c\n"],
    ["ends a last line that has no end", "a\nUseDNS no", { line: "c" }, "a\nUseDNS no\nc\n"],
    ["is there already", "a\nc\nb\n", { line: "c" }, "a\nc\nb\n"],
    ["is there already, without an end", "a\nc", { line: "c" }, "a\nc"],
    ["replaces the last match", "x=1\nx=2\ny\n", { line: "x=3", regexp: "^x=" }, "x=1\nx=3\ny\n"],
    ["replaces a commented setting", "#Port 22\n", { line: "Port 2222", regexp: "^#?Port " }, "Port 2222\n"],
    ["keeps a missing end when it replaces", "a\nx=1", { line: "x=2", regexp: "^x=" }, "a\nx=2"],
    ["is inserted where nothing matches", "a\n", { line: "x=2", regexp: "^x=" }, "a\nx=2\n"],
    ["is not inserted twice where nothing matches", "a\nb\n", { line: "b", regexp: "^x=" }, "a\nb\n"],
    [
      "goes after the last match",
      "[a]\n1\n[a]\n2\n",
      { line: "0", insert_after: "^\\[a\\]" },
      "[a]\n1\n[a]\n0\n2\n",
    ],
    ["goes before the first match", "a\nb\nb\n", { line: "0", insert_before: "^b" }, "a\n0\nb\nb\n"],
    ["goes to the beginning", "a\n", { line: "0", insert_before: "BOF" }, "0\na\n"],
    ["goes to the end by name", "a\n", { line: "0", insert_after: "EOF" }, "a\n0\n"],
    ["goes to the end where its place is missing", "a\n", { line: "0", insert_before: "^z" }, "a\n0\n"],
    ["goes after a last line without an end", "a", { line: "0", insert_after: "a" }, "a\n0\n"],
    ["ends as the others do", "a\r\nb\r\n", { line: "c" }, "a\r\nb\r\nc\r\n"],
    ["replaces without touching the end", "a\r\nb\r\n", { line: "c", regexp: "^a$" }, "c\r\nb\r\n"],
    ["may ignore case", "PORT 1\n", { line: "Port 2", regexp: "(?i)^port" }, "Port 2\n"],
  ])("a line %s", (_, content, settings, result) => {
    expect(edited(content, settings)).toBe(result);
  });

  test("an edited text takes the place of the one before", () => {
    expect(edited("a\nold\nb\n", { line: "new" }, "old")).toBe("a\nnew\nb\n");
    expect(edited("a\nb\n", { line: "new" }, "old")).toBe("a\nb\nnew\n");
  });

  test.each<[string, string, PlainObject, string]>([
    ["a digit may follow", "host=x\n", { regexp: "^(host=).*", line: "\\110.0.0.1" }, "host=10.0.0.1\n"],
    ["a group that took no part is empty", "ab\n", { regexp: "^a(x)?b", line: "<\\1>" }, "<>\n"],
    ["the whole match", "host=x y\n", { regexp: "^host=\\S+", line: "\\0;" }, "host=x;\n"],
    ["a name", "k=v\n", { regexp: "^(?<key>k)=", line: "\\g<key>=w" }, "k=w\n"],
    ["a backslash", "k=v\n", { regexp: "^(k)", line: "\\1=\\\\n" }, "k=\\n\n"],
    ["no match, no line", "a\n", { regexp: "^(host=).*", line: "\\1x", insert_after: "a" }, "a\n"],
  ])("references: %s", (_, content, settings, result) => {
    expect(edited(content, { ...settings, backrefs: true })).toBe(result);
  });

  test("without backrefs a reference is text", () => {
    expect(edited("host=x\n", { regexp: "^(host=).*", line: "\\1y" })).toBe("\\1y\n");
  });

  test("no pattern takes long, whatever the text", () => {
    const content = `${"a".repeat(50_000)}!\n`;
    const started = performance.now();
    for (const regexp of ["^(a+)+$", "^(a|aa)+$", "(a*)*b"]) {
      expect(edited(content, { regexp, line: "x" })).toBe(`${content}x\n`);
      expect(edited(content, { insert_after: regexp, line: "x" })).toBe(`${content}x\n`);
      expect(hasUnwanted(Buffer.from(content), wish({ regexp }))).toBe(false);
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test("bytes that are no UTF-8 stay", () => {
    const content = Buffer.from([0xff, 0xfe, 0x0a, 0x00, 0x0a]);
    expect(withLine(content, wish({ line: "x" }), undefined)).toEqual(
      Buffer.concat([content, Buffer.from("x\n")]),
    );
  });
});

describe("findLine", () => {
  test("tells what stands in its place", () => {
    expect(findLine(Buffer.from("a\nx=1\n"), wish({ line: "x=2", regexp: "^x=" }))).toEqual({
      state: "other",
      index: 1,
      text: "x=1",
      wanted: "x=2",
    });
  });
  test("a part of a line is another line", () => {
    expect(findLine(Buffer.from("abc\n"), wish({ line: "b" }))).toEqual({ state: "missing" });
  });
});

describe("withoutUnwanted", () => {
  test.each<[string, PlainObject, string]>([
    ["a\nb\na\n", { line: "a" }, "b\n"],
    ["a\nb", { line: "b" }, "a\n"],
    ["x=1\ny\nx=2\n", { regexp: "^x=" }, "y\n"],
  ])("%j", (content, settings, result) => {
    expect(hasUnwanted(Buffer.from(content), wish(settings))).toBe(true);
    expect(withoutUnwanted(Buffer.from(content), wish(settings)).toString()).toBe(result);
    expect(hasUnwanted(Buffer.from(result), wish(settings))).toBe(false);
  });
});

describe("properties", () => {
  const bytes = fc.array(fc.constantFrom(0x61, 0x62, 0x0a, 0x0d, 0x00, 0xff), { maxLength: 30 });

  test("lines are the bytes they were made of", () => {
    fc.assert(
      fc.property(bytes, (content) => {
        expect(joinLines(splitLines(Buffer.from(content)))).toEqual(Buffer.from(content));
      }),
    );
  });

  test("a second edit changes nothing", () => {
    const settings = fc.record({
      line: fc.constantFrom("a", "ab", "", "b=1"),
      regexp: fc.constantFrom(null, "^a", "b$", "z"),
      insert_after: fc.constantFrom(null, "^b", "EOF"),
    });
    fc.assert(
      fc.property(bytes, settings, (content, chosen) => {
        const once = withLine(Buffer.from(content), wish(chosen), undefined);
        const again = withLine(once, wish(chosen), undefined);
        // A replaced line may uncover an earlier match of the same expression, but never more than there are lines.
        const settled = findLine(again, wish(chosen)).state;
        if (chosen.regexp === null) expect(again).toEqual(once);
        expect(["as_wanted", "other"]).toContain(settled);
      }),
    );
  });
});
