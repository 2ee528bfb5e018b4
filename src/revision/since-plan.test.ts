import fc from "fast-check";
import { expect, test } from "vitest";
import { type BlockSchema, string, stringList } from "../schema/schema.ts";
import { listOf, stringType } from "../values/type.ts";
import { listValue, nullValue, objectValue, stringValue, unknownValue, type Value } from "../values/value.ts";
import type { Fields } from "./proposal.ts";
import { changedSincePlan } from "./since-plan.ts";

const drift: BlockSchema = {
  describe: "",
  attributes: {
    mode: string({ optional: true, describe: "" }),
    ignore: stringList({ optional: true, describe: "" }),
  },
  blocks: {},
};
const schema: BlockSchema = {
  describe: "",
  attributes: {
    path: string({ required: true, identity: true, describe: "" }),
    mode: string({ optional: true, observed: true, describe: "" }),
    owner: string({ optional: true, observed: true, describe: "" }),
    revision: string({ computed: true, describe: "" }),
  },
  blocks: { drift },
};
const noDrift = nullValue(stringType);
const ignoring = (...names: string[]): Value =>
  objectValue({
    mode: nullValue(stringType),
    ignore:
      names.length === 0
        ? nullValue(listOf(stringType))
        : listValue(
            stringType,
            names.map((name) => stringValue(name)),
          ),
  });

const object = (
  mode: string,
  owner: string,
  revision: Value = stringValue("r"),
  block: Value = noDrift,
): Fields =>
  new Map([
    ["path", stringValue("/a")],
    ["mode", stringValue(mode)],
    ["owner", stringValue(owner)],
    ["revision", revision],
    ["drift", block],
  ]);

const letter = fc.constantFrom("x", "y", "z");

test("P5: only what is neither as planned nor as wanted counts", () => {
  fc.assert(
    fc.property(letter, letter, letter, letter, letter, letter, (m0, o0, m1, o1, m2, o2) => {
      const found = changedSincePlan(schema, {
        prior: object(m0, o0),
        planned: object(m1, o1, unknownValue(stringType)),
        now: object(m2, o2),
      });
      const moved = [m0 === m2 ? [] : ["mode"], o0 === o2 ? [] : ["owner"]].flat();
      const isAsWanted = moved.every((name) => (name === "mode" ? m1 === m2 : o1 === o2));
      expect(found).toEqual(isAsWanted ? undefined : moved);
    }),
  );
});

test("P5: what is to end must be as it was, or gone; what is to be updated must be there", () => {
  const [prior, other] = [object("x", "x"), object("y", "x")];
  expect(changedSincePlan(schema, { prior, planned: undefined, now: prior })).toBe(undefined);
  expect(changedSincePlan(schema, { prior, planned: undefined, now: other })).toEqual(["mode"]);
  expect(changedSincePlan(schema, { prior, planned: undefined, now: undefined })).toBe(undefined);
  expect(changedSincePlan(schema, { prior, planned: other, now: undefined })).toEqual([]);
});

test("D5: what somebody else owns may change at any time", () => {
  fc.assert(
    fc.property(letter, letter, letter, (before, owned, wanted) => {
      const block = ignoring("mode");
      const found = changedSincePlan(schema, {
        prior: object(before, "x", stringValue("r"), block),
        planned: object(before, wanted, unknownValue(stringType), block),
        now: object(owned, "x", stringValue("r"), block),
      });
      expect(found).toBe(undefined);
    }),
  );
});
