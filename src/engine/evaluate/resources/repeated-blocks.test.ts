import { expect, test } from "vitest";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../../diagnostics/source.ts";
import { scopeOf } from "../../../eval/scope.ts";
import { parseFile } from "../../../hcl/parse/parse.ts";
import { type BlockSchema, string } from "../../../schema/schema.ts";
import { sensitiveIn } from "../../../schema/sensitive-parts.ts";
import { withMark } from "../../../values/marks.ts";
import { fromPlain, type Plain, toPlain } from "../../../values/plain.ts";
import { objectValue, stringValue, Unknown, unknownValue, type Value } from "../../../values/value.ts";
import { bodyDecoder } from "./body-decoder.ts";

const schema: BlockSchema = {
  describe: "",
  attributes: { name: string({ optional: true, describe: "" }) },
  blocks: {
    hop: {
      describe: "",
      repeated: true,
      attributes: {
        to: string({ required: true, describe: "" }),
        key: string({ optional: true, sensitive: true, describe: "" }),
      },
      blocks: {},
    },
  },
};

const dynamicOf = (plain: Plain): Value => fromPlain(plain, { kind: "dynamic" });

function decode(text: string, values: Readonly<Record<string, Value>> = {}) {
  const { body } = parseFile(new SourceFile("x.tf", text));
  const decoder = bodyDecoder(body, schema, body);
  const said: Diagnostic[] = [...decoder.problems];
  const value = decoder.decode(scopeOf(values), (problem) => said.push(problem));
  const hops = (value.data as ReadonlyMap<string, Value>).get("hop")!;
  return { value, hops, plain: toPlain(hops), said: said.map(({ summary }) => summary), decoder };
}

test("blocks are a list in their order; none is an empty list", () => {
  expect(decode('hop {\n  to = "a"\n}\nhop {\n  to = "b"\n}\n').plain).toEqual([
    { to: "a", key: null },
    { to: "b", key: null },
  ]);
  expect(decode("").plain).toEqual([]);
  expect(decode("hop {\n}\n").said).toEqual(['"to" is missing']);
});

const dynamic = (forEach: string, more = "") =>
  `hop {\n  to = "first"\n}\ndynamic "hop" {\n  for_each = ${forEach}\n${more}  content {\n    to  = hop.value.to\n    key = hop.key\n  }\n}\n`;

test("a dynamic block stands for as many as its collection has", () => {
  const list = dynamicOf([{ to: "a" }, { to: "b" }]);
  expect(decode(dynamic("x"), { x: list }).plain).toEqual([
    { to: "first", key: null },
    { to: "a", key: "0" },
    { to: "b", key: "1" },
  ]);
  expect(decode(dynamic("[]")).plain).toHaveLength(1);
  const named = decode(
    'dynamic "hop" {\n  for_each = { k = "v" }\n  iterator = it\n  content {\n    to = "${it.key}${it.value}"\n  }\n}\n',
  );
  expect(named).toMatchObject({ said: [], plain: [{ to: "kv", key: null }] });
});

test("what is not known is not counted, and null is no collection", () => {
  const x = unknownValue({ kind: "dynamic" });
  expect(decode(dynamic("x"), { x })).toMatchObject({ said: [], plain: expect.any(Unknown) });
  expect(decode(dynamic("null")).said).toEqual(['"for_each" is no collection']);
  expect(decode('dynamic "hop" {\n}\n').said).toHaveLength(2);
});

test("what the collection refers to is referred to, the iterator is not", () => {
  const [first, made] = decode(dynamic("conn3x_x.y")).decoder.expressions;
  expect(first).toMatchObject({ kind: "template" });
  expect(made).toMatchObject({ kind: "for", valueName: "hop" });
});

test("sensitive places of elements are those that the object has", () => {
  const { value } = decode('hop {\n  to = "a"\n}\nhop {\n  to = "b"\n}\n');
  const paths = sensitiveIn({ schema, sensitive: [] }, value).map(({ path }) => path);
  expect(paths).toEqual([0, 1].map((index) => [{ attribute: "hop" }, { index }, { attribute: "key" }]));
  expect(sensitiveIn({ schema, sensitive: [] }, decode("").value)).toEqual([]);
});

test("marks of the collection are those of the list", () => {
  const x = withMark(dynamicOf([{ to: "a" }]), "sensitive");
  expect([...(decode(dynamic("x"), { x }).hops.marks ?? [])]).toEqual(["sensitive"]);
  const inner = objectValue(new Map([["to", withMark(stringValue("a"), "sensitive")]]));
  const one = { ...dynamicOf([{ to: "a" }]), data: [inner] };
  expect(decode(dynamic("x"), { x: one }).hops.marks ?? []).toHaveLength(0);
});
