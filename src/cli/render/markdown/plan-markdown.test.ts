import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { warningDiagnostic } from "../../../diagnostics/diagnostic.ts";
import { visible } from "../../../diagnostics/visible.ts";
import { withMark } from "../../../values/marks.ts";
import { at } from "../../../values/path.ts";
import { stringType } from "../../../values/type.ts";
import { stringValue, unknownValue } from "../../../values/value.ts";
import { change, plan } from "../testing/planned.ts";
import { fenced, plainText } from "./markdown-text.ts";
import { planMarkdown } from "./plan-markdown.ts";

const unknown = unknownValue(stringType);
const create = { action: "create", reasons: [{ kind: "create" }] } as const;

/** A new file on a host. */
const file = (host: string, path: string, content: string) =>
  change({ host, after: { id: path, path, content, revision: unknown }, decision: create });

describe("texts mean themselves", () => {
  test("outside of blocks, whatever they are made of", () => {
    const unit = fc.constantFrom(..."a1 _*`[]()<>&#@|\\~!-+.:\n\té\u001b\u202e");
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const written = plainText(text);
        expect(written).toMatch(/^(?:[\p{L}\p{N} ,;'"%/=()]|&#\d+;)*$/u);
        const read = written.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
        expect(read).toBe(visible(text).replace(/\s+/g, " "));
      }),
    );
  });

  test("in blocks, which no line of them ends", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("`", " ", "a", "\n") })), (lines) => {
        const [first, ...rest] = fenced(lines, "diff").trimEnd().split("\n");
        const fence = /^`+/.exec(first!)![0];
        expect(rest.pop()).toBe(fence);
        expect(rest.filter((line) => line.trim().startsWith(fence))).toEqual([]);
      }),
    );
  });
});

test("has a table of each circuit, what changes, warnings, and the counts", () => {
  const text = planMarkdown(plan([file("web1", "/etc/a|b", "one\n<b>two</b>\n")]), [
    warningDiagnostic("Something <odd>", "Look at `it`."),
  ]);
  expect(text).toContain("| &#43; | config | file /etc/a&#124;b | web1 | new |\n");
  expect(text).toContain("**1 of 1 host changes&#46; 1 new&#46;**\n");
  expect(text).toContain(
    "<details><summary>Warning&#58; Something &#60;odd&#62;</summary>\n\nLook at &#96;it&#96;&#46;\n",
  );
  expect(text).toContain("```diff\n+ one\n+ <b>two</b>\n```\n");
});

test("fits a comment, and names what does not", () => {
  const steps = Array.from({ length: 400 }, (_, i) =>
    change({
      member: `step${i}`,
      after: { id: `/f${i}`, path: `/f${i}`, content: `${"x".repeat(300)}\n`.repeat(6), revision: unknown },
      decision: create,
    }),
  );
  const text = planMarkdown(plan(steps), []);
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  expect(text).toMatch(/Left out, for the length of a comment&#58; step\d+ of web/);
  expect(text.match(/<details>/g)!.length).toBe(text.match(/<\/details>/g)!.length);
  const wide = planMarkdown(plan(Array.from({ length: 2000 }, (_, i) => file(`host${i}`, `/${i}`, "x"))), []);
  expect(Buffer.byteLength(wide)).toBeLessThan(60_000);
  expect(wide).toMatch(/and \d+ more rows/);
});

test("shows nothing that is sensitive", () => {
  const secret = (text: string) => withMark(stringValue(text), "sensitive");
  const edited = change({
    before: { id: "/t", path: "/t", content: secret("HUSH1\n"), revision: "1" },
    after: { id: "/t", path: "/t", content: secret("HUSH2\n"), revision: unknown },
    decision: { action: "update", reasons: [{ kind: "config", paths: [at("content")] }] },
  });
  const text = planMarkdown(plan([edited]), []);
  expect(text).toContain("content edited");
  expect(text).not.toContain("HUSH");
});

test("says so where nothing changes", () => {
  const same = change({
    before: { id: "/a", revision: "1" },
    after: { id: "/a", revision: "1" },
    decision: { action: "none" },
  });
  expect(planMarkdown(plan([same]), [])).toContain("No changes. The hosts match the configuration.");
});
