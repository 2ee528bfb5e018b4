import { describe, expect, test } from "vitest";
import { kinds } from "../../resources/index.ts";
import { number, schemaType, string, stringList, stringMap } from "../../schema/schema.ts";
import { createSessionPool } from "../../ssh/session-pool.ts";
import { fromPlain, type Plain } from "../../values/plain.ts";
import { stringType } from "../../values/type.ts";
import { unknownValue } from "../../values/value.ts";
import { createProvider } from "../create-provider.ts";
import { unfitPart } from "./validate-parts.ts";

const plain = { optional: true, describe: "" } as const;
const text = string(plain);

const problem = (attribute: ReturnType<typeof string>, value: Plain) =>
  unfitPart(attribute, fromPlain(value, attribute.type), [{ attribute: "x" }])?.detail;

describe("of a setting", () => {
  test("null is what is not set, but not where it is required", () => {
    expect(problem(text, null)).toBeUndefined();
    expect(problem(string({ required: true, describe: "" }), null)).toBe(
      "x is required, and its value here is null.",
    );
  });

  test("an element of a list is something, a map's may be nothing", () => {
    expect(problem(stringList(plain), ["a", null])).toBe("x[1] must not be null.");
    expect(problem(stringMap(plain), { a: null })).toBeUndefined();
  });

  test("text has no NUL, but where it is bytes", () => {
    const refused = "must not have the character NUL (\\u0000) in it.";
    expect(problem(text, "a\0b")).toBe(`x ${refused}`);
    expect(problem(string({ ...plain, anyCharacter: true }), "a\0b")).toBeUndefined();
    expect(problem(stringList(plain), ["a", "\0"])).toBe(`x[1] ${refused}`);
    expect(problem(stringMap(plain), { a: "\0" })).toBe(`x["a"] ${refused}`);
    expect(problem(stringMap(plain), { "\0": "a" })).toBe(
      "x must not have the character NUL (\\u0000) in keys.",
    );
  });

  test.each([9007199254740993n, 10n ** 400n, -(10n ** 400n)])("%s is too large", (value) => {
    expect(problem(number(plain), value)).toBe("x is too large a number.");
    expect(problem(number(plain), 1.5)).toBeUndefined();
  });

  test("what is not known yet may be anything", () => {
    expect(unfitPart(text, unknownValue(stringType), [])).toBeUndefined();
  });
});

describe.each([...kinds])("%s", (type, { schema }) => {
  const provider = createProvider({ sessions: createSessionPool() });
  const absent = (name: string): Plain => (schema.blocks[name]?.repeated ? [] : null);
  const names = [...Object.keys(schema.attributes), ...Object.keys(schema.blocks)];
  const reported = (settings: Readonly<Record<string, Plain>>) => {
    const unset = Object.fromEntries(names.map((name) => [name, absent(name)]));
    const config = fromPlain({ ...unset, ...settings }, schemaType(schema));
    return provider.validateResourceConfig(type, config);
  };
  const lists = Object.entries(schema.attributes).filter(([, { type: of }]) => of.kind === "list");
  const needed = Object.entries(schema.attributes).filter(([, { required }]) => required);

  test("says which setting must not be null, or have null in it", () => {
    expect(reported({}).map(({ attribute }) => attribute)).toEqual(
      expect.arrayContaining(needed.map(([name]) => [{ attribute: name }])),
    );
    for (const [name] of lists) {
      expect(reported({ [name]: [null] })).toContainEqual(
        expect.objectContaining({ attribute: [{ attribute: name }, { index: 0 }] }),
      );
    }
  });
});
