import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ResourceSchema, schemaType, string } from "../schema/schema.ts";
import { fromPlain, type PlainObject } from "../values/plain.ts";
import { fieldsOf } from "./proposal.ts";
import { mintRevision, touchesHost } from "./revision.ts";

describe("mintRevision", () => {
  test("C1: 16 hexadecimal characters, each time others, every one of them anywhere", () => {
    const revisions = Array.from({ length: 2000 }, mintRevision);
    for (const revision of revisions) expect(revision).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(revisions).size).toBe(2000);
    for (let at = 0; at < 16; at++) expect(new Set(revisions.map((one) => one[at])).size).toBe(16);
  });
});

describe("touchesHost", () => {
  const text = { describe: "" };
  const names = ["set", "found", "aside", "aside_found", "revision"] as const;
  const schema: ResourceSchema = {
    version: 0,
    describe: "",
    attributes: {
      set: string({ ...text, optional: true }),
      found: string({ ...text, computed: true }),
      aside: string({ ...text, optional: true, hostEffect: false }),
      aside_found: string({ ...text, computed: true, hostEffect: false }),
      revision: string({ ...text, computed: true }),
    },
    blocks: {},
  };
  const word = fc.option(fc.constantFrom("x", "y"));
  const object: fc.Arbitrary<PlainObject> = fc.record(Object.fromEntries(names.map((name) => [name, word])));
  const fields = (plain: PlainObject) => fieldsOf(fromPlain(plain, schemaType(schema)))!;

  test("C2, C3, C4: compares what is set and what is computed, and not what has no effect on the host", () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const differs = before.set !== after.set || before.found !== after.found;
        expect(touchesHost(schema, fields(before), fields(after))).toBe(differs);
      }),
    );
  });
});
