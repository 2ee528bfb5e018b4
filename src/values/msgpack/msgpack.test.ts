import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BigFloat } from "../big-float.ts";
import { valuesEqual } from "../equal.ts";
import {
  boolType,
  dynamicType,
  listOf,
  mapOf,
  numberType,
  objectOf,
  setOf,
  stringType,
  type Type,
  tupleOf,
} from "../type.ts";
import {
  boolValue,
  listValue,
  mapValue,
  nullValue,
  numberValue,
  objectValue,
  setValue,
  stringValue,
  tupleValue,
  Unknown,
  unknownValue,
  type Value,
} from "../value.ts";
import { decodeMsgpack, encodeMsgpack } from "./msgpack.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const fromHex = (text: string): Uint8Array => Buffer.from(text.replaceAll(" ", ""), "hex");
const number = (text: string): Value => numberValue(BigFloat.parse(text)!);
const revision = stringValue("r");

// Every expected text below is what go-cty 1.18 writes for the same value and type.
const numbers: readonly (readonly [string, string])[] = [
  ["0", "00"],
  ["127", "7f"],
  ["128", "cc80"],
  ["255", "ccff"],
  ["256", "cd0100"],
  ["65535", "cdffff"],
  ["65536", "ce00010000"],
  ["4294967295", "ceffffffff"],
  ["4294967296", "cf0000000100000000"],
  ["9007199254740993", "cf0020000000000001"],
  ["9223372036854775807", "cf7fffffffffffffff"],
  ["9223372036854775808", "b339323233333732303336383534373735383038"],
  ["-1", "ff"],
  ["-32", "e0"],
  ["-33", "d0df"],
  ["-128", "d080"],
  ["-129", "d1ff7f"],
  ["-32768", "d18000"],
  ["-32769", "d2ffff7fff"],
  ["-2147483648", "d280000000"],
  ["-2147483649", "d3ffffffff7fffffff"],
  ["-9223372036854775808", "d38000000000000000"],
  ["-9223372036854775809", "b42d39323233333732303336383534373735383039"],
  ["0.5", "cb3fe0000000000000"],
  ["-2.25", "cbc002000000000000"],
  ["0.1", "a3302e31"],
  ["1e30", "bf31303030303030303030303030303030303030303030303030303030303030"],
  [
    "3.14159265358979323846264338327950288",
    "d925332e3134313539323635333538393739333233383436323634333338333237393530323838",
  ],
];

const values: readonly (readonly [string, Type, Value, string])[] = [
  ["a fraction that came as a double", numberType, numberValue(0.1), "cb3fb999999999999a"],
  ["an infinity", numberType, numberValue(BigFloat.infinity), "cb7ff0000000000000"],
  ["text beyond ASCII", stringType, stringValue("é"), "a2c3a9"],
  ["32 bytes of text", stringType, stringValue("x".repeat(32)), `d920${"78".repeat(32)}`],
  ["a list, in its order", listOf(stringType), listValue(stringType, texts("b", "a")), "92a162a161"],
  ["a set, in cty's", setOf(stringType), setValue(stringType, texts("b", "a", "b")), "92a161a162"],
  [
    "a map, by key",
    mapOf(numberType),
    mapValue(
      numberType,
      new Map([
        ["z", numberValue(1)],
        ["a", numberValue(2)],
      ]),
    ),
    "82a16102a17a01",
  ],
  ["null", stringType, nullValue(stringType), "c0"],
  ["null of any type", dynamicType, nullValue(dynamicType), "c0"],
  ["a null string where any type may be", dynamicType, nullValue(stringType), "92c40822737472696e6722c0"],
  ["unknown of any type", dynamicType, unknownValue(dynamicType), "d40000"],
  [
    "an unknown string where any type may be",
    dynamicType,
    unknownValue(stringType),
    "92c40822737472696e6722d40000",
  ],
  ["unknown", stringType, unknownValue(stringType), "d40000"],
  ["unknown, not null", stringType, unknownValue(stringType, { notNull: true }), "c7030c8101c2"],
  [
    "unknown with a prefix",
    stringType,
    unknownValue(stringType, { notNull: true, prefix: "ab" }),
    "c7070c8201c202a26162",
  ],
  [
    "unknown with lengths",
    listOf(stringType),
    unknownValue(listOf(stringType), { minLength: 1, maxLength: 300 }),
    "c7070c82050106cd012c",
  ],
  [
    "a mixed list of triggers",
    dynamicType,
    tupleValue([revision, mapValue(stringType, new Map([["h/k", unknownValue(stringType)]]))]),
    "92c4255b227475706c65222c5b22737472696e67222c5b226d6170222c22737472696e67225d5d5d92a17281a3682f6bd40000",
  ],
  [
    "an object where any type may be",
    dynamicType,
    objectValue({ b: boolValue(true), a: nullValue(numberType) }),
    "92c4245b226f626a656374222c7b2261223a226e756d626572222c2262223a22626f6f6c227d5d82a161c0a162c3",
  ],
  [
    "an object with an attribute of any type",
    objectOf({ triggers: dynamicType, path: stringType }),
    objectValue({ triggers: tupleValue([numberValue(1)]), path: stringValue("/a") }),
    "82a470617468a22f61a8747269676765727392c4145b227475706c65222c5b226e756d626572225d5d9101",
  ],
  [
    "a list of any type",
    listOf(dynamicType),
    listValue(stringType, texts("x")),
    "9192c40822737472696e6722a178",
  ],
];

function texts(...all: string[]): Value[] {
  return all.map(stringValue);
}

describe("as cty writes and reads them", () => {
  it.each(numbers)("the number %s", (text, expected) => {
    expect(hex(encodeMsgpack(number(text), numberType))).toBe(expected);
    const decoded = decodeMsgpack(fromHex(expected), numberType).data as BigFloat;
    expect(decoded.equals(BigFloat.parse(text)!)).toBe(true);
  });

  it.each(values)("%s", (_, type, value, expected) => {
    expect(hex(encodeMsgpack(value, type))).toBe(expected);
    const decoded = decodeMsgpack(fromHex(expected), type);
    expect(decoded.type).toEqual(value.type);
    expect(hex(encodeMsgpack(decoded, type))).toBe(expected);
  });
});

describe("reading", () => {
  it("takes a number's bounds for what they are worth: the value is unknown and not null", () => {
    const decoded = decodeMsgpack(fromHex("c7070c8201c2039200c3"), numberType);
    expect(decoded.data).toEqual(new Unknown({ notNull: true }));
  });

  it.each(["d40500", "d505 0000", "c70042", "c70a2a 00000000000000000000"])(
    "takes any extension for unknown: %s",
    (bytes) => {
      expect(decodeMsgpack(fromHex(bytes), mapOf(stringType)).data).toBeInstanceOf(Unknown);
    },
  );

  it("finds unknowns at any depth", () => {
    const type = listOf(objectOf({ a: mapOf(stringType) }));
    const decoded = decodeMsgpack(fromHex("91 81 a161 81 a16b d40000"), type);
    expect(hex(encodeMsgpack(decoded, type))).toBe("9181a16181a16bd40000");
  });

  it("takes unsigned integers beyond 2^63 and single precision floats, which cty reads too", () => {
    expect(String(decodeMsgpack(fromHex("cfffffffffffffffff"), numberType).data)).toBe(
      "18446744073709551615",
    );
    expect(String(decodeMsgpack(fromHex("ca3f000000"), numberType).data)).toBe("0.5");
  });

  it("normalises text to NFC", () => {
    expect(decodeMsgpack(fromHex("a365cc81"), stringType).data).toBe("é");
  });

  it.each([
    ["81a161c3", objectOf({ a: stringType }), "a: string is required, not bool"],
    ["82a161c0a162c0", objectOf({ a: stringType }), "object with 1 attributes is required, not 2"],
    ["81a162c0", objectOf({ a: stringType }), "b: there is no such attribute"],
    ["9101", tupleOf([]), "tuple with 0 elements is required, not 1"],
    ["91 81 a16b a278", listOf(mapOf(stringType)), '[0]["k"]: the value ends too early'],
    ["c0c0", stringType, "there are bytes after the value"],
    ["c1", stringType, "no item begins with the byte 0xc1"],
    ["92c40322782201", dynamicType, '"x" is not a type'],
    ["a178", numberType, "number is required, not other text"],
    ["", stringType, "the value ends too early"],
  ] as const)("says where %s is wrong", (bytes, type, problem) => {
    expect(() => decodeMsgpack(fromHex(bytes), type)).toThrow(
      expect.objectContaining({ name: "MsgpackValueError", message: problem }),
    );
  });
});

describe("writing", () => {
  it("refuses what does not conform, and says where", () => {
    const type = objectOf({ a: listOf(stringType) });
    const wrong: Value = objectValue({ a: listValue(stringType, [numberValue(1)]) });
    expect(() => encodeMsgpack(wrong, type)).toThrow("a[0]: string is required, not number");
    expect(() => encodeMsgpack(objectValue({}), type)).toThrow("object with 1 attributes is required, not 0");
  });

  it("refuses a marked value: the protocol has no marks", () => {
    const secret: Value = { ...stringValue("s"), marks: new Set(["sensitive"]) };
    expect(() => encodeMsgpack(objectValue({ a: secret }), objectOf({ a: stringType }))).toThrow(
      "a: a marked",
    );
  });

  it("shortens a long prefix at a character, as readers refuse long ones", () => {
    const bytes = encodeMsgpack(unknownValue(stringType, { prefix: "€".repeat(200) }), stringType);
    const decoded = decodeMsgpack(bytes, stringType).data as Unknown;
    // 85 characters of three bytes are 255.
    expect(decoded.refinement).toEqual({ prefix: "€".repeat(85) });
  });
});

const anyNumber = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map((integer) => numberValue(integer)),
  fc.double({ noNaN: true }).map((double) => numberValue(double)),
  fc.tuple(fc.maxSafeInteger(), fc.integer({ min: -40, max: 40 })).map(([m, e]) => number(`${m}e${e}`)),
);

/** A type with values of it, some null, some unknown. */
type Typed = readonly [Type, readonly Value[]];

function primitive(type: Type, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Typed> {
  return fc
    .array(fc.oneof(arbitrary, fc.constantFrom(nullValue(type), unknownValue(type))), { maxLength: 4 })
    .map((all): Typed => [type, all]);
}

/** Wraps values of one type into a collection, a tuple or an object of them. */
const wraps: readonly ((typed: Typed) => Typed)[] = [
  ([type, all]) => [listOf(type), [listValue(type, all)]],
  ([type, all]) => [setOf(type), [setValue(type, all)]],
  ([type, all]) => [mapOf(type), [mapValue(type, new Map(all.map((value, i) => [`key ${i}`, value])))]],
  ([, all]) => {
    const tuple = tupleValue(all);
    return [tuple.type, [tuple]];
  },
  ([, all]) => {
    const object = objectValue(new Map(all.map((value, i) => [`attribute_${i}`, value])));
    return [object.type, [object]];
  },
];

const typed: fc.Arbitrary<Typed> = fc
  .tuple(
    fc.oneof(
      primitive(stringType, fc.string({ unit: "grapheme" }).map(stringValue)),
      primitive(boolType, fc.boolean().map(boolValue)),
      primitive(numberType, anyNumber),
    ),
    fc.array(fc.constantFrom(...wraps), { maxLength: 4 }),
  )
  .map(([innermost, wrapping]) => wrapping.reduce((typed, wrap) => wrap(typed), innermost));

describe("what was written is read back", () => {
  it("for any type, and where the declared type is dynamic", () => {
    fc.assert(
      fc.property(typed, ([type, all]) => {
        for (const value of all) {
          for (const declared of [type, dynamicType]) {
            const bytes = encodeMsgpack(value, declared);
            const decoded = decodeMsgpack(bytes, declared);
            expect(decoded.type).toEqual(value.type);
            expect(hex(encodeMsgpack(decoded, declared))).toBe(hex(bytes));
            expect(valuesEqual(decoded, value)).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
