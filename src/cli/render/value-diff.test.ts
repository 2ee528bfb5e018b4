import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valuesEqual } from "../../values/equal.ts";
import { withMark } from "../../values/marks.ts";
import { stringType } from "../../values/type.ts";
import {
  boolValue,
  mapValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
} from "../../values/value.ts";
import { diffLines } from "./value-diff.ts";
import { plainSpelling } from "./value-lines.ts";

const style = { ...plainSpelling, requiresReplace: [], drifted: [] };
const place = { path: [{ attribute: "x" }], depth: 1, label: "x = ", end: "" };
const lines = (before: Value | undefined, after: Value | undefined) => diffLines(before, after, place, style);

/** Any value; a secret one holds the word. */
const secretWord = "swordfish";
const { value } = fc.letrec<{ value: Value; leaf: Value }>((tie) => ({
  leaf: fc.oneof(
    fc.string({ maxLength: 8 }).map(stringValue),
    fc.constantFrom("a\nb\n", "a\nc\n", "\0\n").map(stringValue),
    fc.boolean().map(boolValue),
    fc.integer().map(numberValue),
    fc.constant(unknownValue(stringType)),
    fc.string({ maxLength: 4 }).map((text) => withMark(stringValue(`${secretWord}${text}`), "sensitive")),
  ),
  value: fc.oneof(
    { maxDepth: 3 },
    tie("leaf"),
    fc.array(tie("value"), { maxLength: 3 }).map(tupleValue),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }).map(objectValue),
    fc
      .dictionary(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 }))
      .map((entries) =>
        mapValue(stringType, new Map(Object.entries(entries).map(([key, text]) => [key, stringValue(text)]))),
      ),
  ),
}));

describe("diffLines", () => {
  it("has lines exactly when something differs, and marks at least one of them", () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const found = lines(before, after);
        if (valuesEqual(before, after)) return found.length === 0;
        return found.some(({ mark }) => mark !== " ");
      }),
    );
    fc.assert(fc.property(value, (same) => lines(same, same).length === 0));
  });

  it("never shows a secret, whichever way it comes", () => {
    fc.assert(
      fc.property(
        fc.option(value, { nil: undefined }),
        fc.option(value, { nil: undefined }),
        (before, after) => {
          expect(JSON.stringify(lines(before, after))).not.toContain(secretWord);
        },
      ),
    );
  });
});
