import { expect, test } from "vitest";
import { type BlockSchema, schemaType, string, stringList, stringMap } from "../../schema/schema.ts";
import { at, type Path } from "../../values/path.ts";
import { fromPlain, type PlainObject, toPlain } from "../../values/plain.ts";
import { withStored } from "./ignored-changes.ts";

const schema: BlockSchema = {
  describe: "",
  attributes: {
    content: string({ optional: true, describe: "" }),
    list: stringList({ optional: true, describe: "" }),
    map: stringMap({ optional: true, describe: "" }),
    id: string({ computed: true, describe: "" }),
  },
  blocks: {
    ssh: { describe: "", attributes: { user: string({ optional: true, describe: "" }) }, blocks: {} },
  },
};
const type = schemaType(schema);
const empty: PlainObject = { content: null, list: null, map: null, id: null, ssh: null };
const object = (plain: PlainObject) => fromPlain({ ...empty, ...plain }, type);

const taken = (config: PlainObject, stored: PlainObject, ignored: readonly Path[] | "all") =>
  toPlain(withStored(schema, object(config), object(stored), ignored));

const key = (name: string) => ({ key: name });

/** Elements of maps by OpenTofu's rule: the configuration with the stored value, or without one, at that key alone. */
for (const [what, path, config, stored, expected] of [
  ["an attribute", at("content"), { content: "a" }, { content: "b" }, { content: "b" }],
  ["an attribute that is not configured", at("content"), {}, { content: "b" }, { content: "b" }],
  ["one that was not stored", at("content"), { content: "a" }, {}, {}],
  [
    "an element of a map",
    at("map", key("x")),
    { map: { x: "1", y: "1" } },
    { map: { x: "2", y: "2" } },
    { map: { x: "2", y: "1" } },
  ],
  [
    "one that is only configured",
    at("map", key("x")),
    { map: { x: "1", y: "1" } },
    { map: { y: "2" } },
    { map: { y: "1" } },
  ],
  [
    "one that is only stored",
    at("map", key("x")),
    { map: { y: "1" } },
    { map: { x: "2" } },
    { map: { x: "2", y: "1" } },
  ],
  [
    "one of a map that is not configured",
    at("map", key("x")),
    {},
    { map: { x: "2", z: "3" } },
    { map: { x: "2" } },
  ],
  ["one of a map that was not stored", at("map", key("x")), { map: { x: "1" } }, {}, { map: {} }],
  ["an element of a list", at("list", 1), { list: ["1", "1"] }, { list: ["2", "2"] }, { list: ["1", "2"] }],
  ["one that the list does not have", at("list", 1), { list: ["1"] }, { list: ["2", "2"] }, { list: ["1"] }],
  [
    "one that was not stored in the list",
    at("list", 1),
    { list: ["1", "1"] },
    { list: ["2"] },
    { list: ["1", "1"] },
  ],
  [
    "an attribute of a block",
    at("ssh", "user"),
    { ssh: { user: "a" } },
    { ssh: { user: "b" } },
    { ssh: { user: "b" } },
  ],
  [
    "one of a block that was not stored",
    at("ssh", "user"),
    { ssh: { user: "a" } },
    {},
    { ssh: { user: "a" } },
  ],
  ["a whole block", at("ssh"), { ssh: { user: "a" } }, {}, {}],
] as const) {
  test(`of ${what} the stored value stands`, () => {
    expect(taken(config as PlainObject, stored as PlainObject, [path])).toEqual({ ...empty, ...expected });
  });
}

test("all is what is stored, without what only the provider sets", () => {
  const stored = { content: "b", map: { x: "2" }, id: "i", ssh: { user: "b" } };
  expect(taken({ content: "a", list: ["1"] }, stored, "all")).toEqual({ ...empty, ...stored, id: null });
});

test("several are taken one after another", () => {
  const paths = [at("content"), at("map", key("x")), at("map", key("y"))];
  expect(taken({ content: "a", map: {} }, { content: "b", map: { x: "2", y: "3" } }, paths)).toEqual({
    ...empty,
    content: "b",
    map: { x: "2", y: "3" },
  });
});
