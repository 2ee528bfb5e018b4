/**
 * Our parser against the two Go ones that come as packages: hashicorp/hcl through GopherJS and through WebAssembly.
 */
import { readdirSync, readFileSync } from "node:fs";
import { parse as parseWithWasm } from "@cdktn/hcl2json";
import fc from "fast-check";
import { parseToObject } from "hcl2-parser";
import { describe, expect, test } from "vitest";
import { SourceFile } from "../../src/diagnostics/source.ts";
import { parseFile } from "../../src/hcl/parse/parse.ts";
import { printBody } from "../../src/hcl/print/print.ts";
import type { Body, Expression } from "../../src/hcl/tree.ts";
import { bodyToJson } from "./hcl-json.ts";
import { bodies } from "./hcl-trees.ts";

function ours(text: string): unknown {
  const { body, diagnostics } = parseFile(new SourceFile("test.hcl", text));
  expect(diagnostics).toEqual([]);
  return JSON.parse(JSON.stringify(bodyToJson(body)));
}

/** The WebAssembly one keeps `$${` and `%%{` as written where a template has sequences too. */
const withoutEscapes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll("$${", "${").replaceAll("%%{", "%{"));

const viaWasm = async (text: string): Promise<unknown> =>
  withoutEscapes(await parseWithWasm("test.tf", text));

/**
 * Undefined for what the GopherJS one has no answer to: it is of before functions had namespaces, and panics at a null
 * where a text is wanted. For a text with an error it gives `[null, {}]`.
 */
function viaGopher(text: string): unknown {
  if (text.includes("::")) return undefined;
  try {
    return withoutEscapes((parseToObject(text) as [unknown, unknown])[0]);
  } catch (error) {
    expect(String(error)).toContain("value is null");
    return undefined;
  }
}

async function expectAgreement(text: string): Promise<void> {
  const json = withoutEscapes(ours(text));
  expect(json).toEqual(await viaWasm(text));
  expect(json).toEqual(viaGopher(text) ?? json);
}

const fixtures = new URL("../fixtures/hcl/", import.meta.url);
const files = ["parse", "format"].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, fixtures)).map((name) => `${folder}/${name}`),
);

describe("fixtures", () => {
  test.each(files)("%s", async (name) => {
    await expectAgreement(readFileSync(new URL(name, fixtures), "utf8"));
  });
});

/**
 * False for nodes that one of the two cannot convert, with a panic or an error though the text is right, and for
 * literals that look like a sequence, which they escape in different ways.
 */
function isConvertible(node: unknown): boolean {
  if (typeof node !== "object" || node === null || node instanceof SourceFile) return true;
  const { kind, ...fields } = node as { kind?: string; [field: string]: unknown };
  if (kind === "literal" && /[$%]\{/.test(fields.value as string)) return false;
  if (kind === "unary" && (fields.operand as { kind: string }).kind === "keyword") return false;
  if (kind === undefined && "key" in fields && !isPlainKey(fields.key as Expression)) return false;
  return Object.values(fields).every(isConvertible);
}

/** Names with accesses, which no engine accepts without parentheses, get forms of their own. */
const isPlainKey = ({ kind }: Expression): boolean => kind !== "attributeAccess" && kind !== "index";

/** In the JSON form a block type must always have equally many labels, and must not be an attribute's name too. */
function hasForm(body: Body): boolean {
  const labels = new Map<string, number>();
  return body.items.every((item) => {
    const count = item.kind === "attribute" ? -1 : item.labels.length;
    const known = labels.get(item.kind === "attribute" ? item.name : item.type);
    labels.set(item.kind === "attribute" ? item.name : item.type, count);
    return (
      (known === undefined || (known === count && count >= 0)) &&
      (item.kind === "attribute" || hasForm(item.body))
    );
  });
}

test("generated files", async () => {
  const generated = bodies.filter((body) => body.items.length > 0 && hasForm(body) && isConvertible(body));
  await fc.assert(
    fc.asyncProperty(generated, async (body) => {
      await expectAgreement(printBody(body));
    }),
    { numRuns: 400 },
  );
});

describe("what is an error for them is one for us", () => {
  test.each([
    "a",
    "a = ",
    "a = 1 b = 2",
    "a = 'b'",
    'a = "b',
    'a = "${b"',
    "a = [1 2]",
    "a = {b 1}",
    "a = <<EOT\nb\nEOT",
    "a {",
    "a {}}",
    "a { b = 1, c = 2 }",
    "a\n{\n}",
    "a = 1\na = 2",
    'a "${b}" {\n}',
    "a = 1.2.3",
    "a = b.0.1",
    "a = [for b in c]",
    "a = f(b..., c)",
    'a = "%{ if b }"',
    'a = "\\q"',
  ])("%j", async (text) => {
    expect(parseFile(new SourceFile("test.hcl", `${text}`)).diagnostics).not.toEqual([]);
    await expect(parseWithWasm("test.tf", text)).rejects.toThrow();
    expect(parseToObject(text)).toEqual([null, {}]);
  });
});
