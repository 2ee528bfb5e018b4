import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bool,
  bytes,
  field,
  int64,
  type Message,
  mapOf,
  message,
  nested,
  optional,
  repeated,
  string,
} from "./protobuf.ts";
import { ProtobufError } from "./protobuf-reader.ts";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

// Test1, Test2 and Test3 of the format's documentation, https://protobuf.dev/programming-guides/encoding/.
const test1 = message({ a: field(1, int64) });
const test2 = message({ b: field(2, string) });
const test3 = message({
  c: field(
    3,
    nested(() => test1),
  ),
});

describe("the documentation's examples", () => {
  it.each([
    ["an integer", test1, { a: 150 }, "08 96 01"],
    ["a string", test2, { b: "testing" }, "12 07 74 65 73 74 69 6e 67"],
    ["a message in a message", test3, { c: { a: 150 } }, "1a 03 08 96 01"],
    // "the varint encoding of -2" there, as a field.
    ["a negative integer", test1, { a: -2 }, "08 fe ff ff ff ff ff ff ff ff 01"],
  ] as const)("%s", (_, type, value, expected) => {
    const anyType = type as Message<unknown>;
    expect(anyType.encode(value)).toEqual(hex(expected));
    expect(anyType.decode(hex(expected))).toEqual(value);
  });

  it("a map is repeated messages of key and value", () => {
    const withMap = message({
      g: field(
        7,
        mapOf(() => test1),
      ),
    });
    const encoded = withMap.encode({ g: new Map([["k", { a: 1 }]]) });
    expect(encoded).toEqual(hex("3a 07 0a 01 6b 12 02 08 01"));
    expect(withMap.decode(encoded).g).toEqual(new Map([["k", { a: 1 }]]));
    // An entry without a value has the value's defaults.
    expect(withMap.decode(hex("3a 03 0a 01 6b")).g).toEqual(new Map([["k", { a: 0 }]]));
  });
});

describe("what is absent", () => {
  const all = message({
    text: field(1, string),
    data: field(2, bytes),
    flag: field(3, bool),
    inner: field(
      4,
      nested(() => test1),
    ),
    many: field(
      5,
      repeated(() => test1),
    ),
    perhaps: field(6, optional(int64)),
    name: field(7, optional(string)),
  });
  const nothing = {
    text: "",
    data: Buffer.alloc(0),
    flag: false,
    inner: undefined,
    many: [],
    perhaps: undefined,
    name: undefined,
  };

  it("is not written, and is read as its default", () => {
    expect(all.encode(nothing)).toHaveLength(0);
    expect(all.decode(Buffer.alloc(0))).toEqual(nothing);
  });

  it("differs from a zero where a field is optional", () => {
    const encoded = all.encode({ ...nothing, perhaps: 0, name: "" });
    expect(encoded).toEqual(hex("30 00 3a 00"));
    expect(all.decode(encoded)).toMatchObject({ perhaps: 0, name: "" });
  });

  it("differs from an empty message", () => {
    expect(all.encode({ ...nothing, inner: { a: 0 } })).toEqual(hex("22 00"));
    expect(all.decode(hex("22 00")).inner).toEqual({ a: 0 });
  });
});

describe("reading", () => {
  it("skips fields that it does not know, of every wire type", () => {
    const unknown = "48 96 01 51 0102030405060708 5a 02 ffff 65 01020304";
    expect(test1.decode(hex(`${unknown} 08 96 01`))).toEqual({ a: 150 });
  });

  it("takes the last of a field that comes twice", () => {
    expect(test1.decode(hex("08 01 08 02"))).toEqual({ a: 2 });
  });

  it.each([
    ["08", "the message ends too early"],
    ["12 05 61", "the message ends too early"],
    ["0b", "wire type 3 is not used"],
    ["08 ff ff ff ff ff ff ff ff ff ff 01", "a varint has more than ten bytes"],
    ["0a 00", "a field has wire type 2 instead of 0"],
  ])("refuses %s", (text, problem) => {
    expect(() => test1.decode(hex(text))).toThrow(new ProtobufError(problem));
  });
});

describe("what was written is read back", () => {
  interface Tree {
    readonly label: string;
    readonly data: Uint8Array;
    readonly count: number;
    readonly children: readonly Tree[];
    readonly named: ReadonlyMap<string, Tree>;
  }
  const tree: Message<Tree> = message({
    label: field(1, string),
    data: field(2, bytes),
    count: field(15, int64),
    children: field(
      16,
      repeated(() => tree),
    ),
    named: field(
      2048,
      mapOf(() => tree),
    ),
  });
  const anyTree = (depth: number): fc.Arbitrary<Tree> =>
    fc.record({
      label: fc.string({ unit: "grapheme" }),
      data: fc.uint8Array().map((data) => Buffer.from(data)),
      count: fc.maxSafeInteger(),
      children: depth === 0 ? fc.constant([]) : fc.array(anyTree(depth - 1), { maxLength: 3 }),
      named: (depth === 0
        ? fc.constant([])
        : fc.array(fc.tuple(fc.string(), anyTree(depth - 1)), { maxLength: 2 })
      ).map((all) => new Map(all)),
    });

  it("for messages in messages", () => {
    fc.assert(
      fc.property(anyTree(2), (value) => {
        expect(tree.decode(tree.encode(value))).toEqual(value);
      }),
    );
  });
});
