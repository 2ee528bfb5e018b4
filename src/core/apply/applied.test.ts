import fc from "fast-check";
import { expect, test } from "vitest";
import { mintRevision } from "../../revision/revision.ts";
import { stringType } from "../../values/type.ts";
import { objectValue, stringValue, unknownValue, type Value } from "../../values/value.ts";
import { complete } from "./applied.ts";

const known = fc.string().map(stringValue);
const objects = fc.record({
  others: fc.dictionary(
    fc.string().filter((name) => name !== "revision"),
    fc.oneof(known, fc.constant(unknownValue(stringType))),
  ),
  revision: fc.option(known, { nil: undefined }),
});

test("C5: a revision that was planned unknown becomes a fresh one, a known one is kept; nothing else changes", () => {
  fc.assert(
    fc.property(objects, ({ others, revision }) => {
      const entries = Object.entries(others);
      const planned = revision ?? unknownValue(stringType);
      const object = objectValue(new Map([...entries, ["revision", planned]]));
      const made = [0, 1].map(() => complete(object, mintRevision).data as ReadonlyMap<string, Value>);
      for (const fields of made) expect([...fields].filter(([name]) => name !== "revision")).toEqual(entries);
      const [first, second] = made.map((fields) => fields.get("revision")!.data);
      if (revision !== undefined) expect([first, second]).toEqual([revision.data, revision.data]);
      else {
        expect(first).toMatch(/^[\da-f]{16}$/);
        expect(first).not.toBe(second);
      }
    }),
  );
});
