import { inspect } from "node:util";
import { expect, test } from "vitest";
import { type BlockSchema, string } from "../schema/schema.ts";
import { at } from "../values/path.ts";
import { listOf, stringType } from "../values/type.ts";
import { listValue, stringValue, Unknown, unknownValue } from "../values/value.ts";
import { settingChanges } from "./setting-change.ts";

const text = { describe: "" };
const schema: BlockSchema = {
  describe: "",
  attributes: {
    name: string({ ...text, optional: true }),
    token: string({ ...text, optional: true, sensitive: true }),
  },
  blocks: {
    ssh: {
      describe: "",
      blocks: {},
      attributes: {
        user: string({ ...text, optional: true }),
        password: string({ ...text, optional: true, sensitive: true }),
      },
    },
  },
};
const changed = (...path: readonly (string | number)[]) => ({
  path: at(...path),
  before: stringValue("old-s3cret"),
  after: stringValue("new-s3cret"),
});

test("X3: a kind is told of a change in plain data", () => {
  const added = { path: at("name", 1), before: undefined, after: stringValue("b") };
  const later = {
    path: at("name"),
    before: undefined,
    after: listValue(stringType, [stringValue("a"), unknownValue(stringType)]),
  };
  expect(listOf(stringType).kind).toBe("list");
  expect(settingChanges([changed("name"), added, later], schema)).toEqual([
    { path: at("name"), before: "old-s3cret", after: "new-s3cret", unknown: false, sensitive: false },
    { path: at("name", 1), before: undefined, after: "b", unknown: false, sensitive: false },
    { path: at("name"), before: undefined, after: ["a", new Unknown()], unknown: true, sensitive: false },
  ]);
});

test.each([
  ["by the schema", [changed("token")], []],
  ["in a block", [changed("ssh", "password")], []],
  ["as a block that holds a secret", [changed("ssh")], []],
  ["because the configuration says so", [changed("name")], [at("name")]],
  ["because something inside of it is", [changed("name")], [at("name", 0)]],
  ["because what it is in is", [changed("name", 0)], [at("name")]],
])(
  "X3, X11: what is sensitive %s is real for the kind, and never printed or serialised",
  (_, changes, sensitive) => {
    const [change] = settingChanges(changes, schema, sensitive);
    expect([change?.before, change?.after, change?.sensitive]).toEqual(["old-s3cret", "new-s3cret", true]);
    for (const shown of [
      JSON.stringify(change),
      inspect(change),
      inspect([change], { depth: 9 }),
      `${change}`,
    ])
      expect(shown).not.toContain("s3cret");
    expect(JSON.stringify({ ...change })).not.toContain("s3cret");
  },
);

test("X3: what is not sensitive is shown", () => {
  const [change] = settingChanges([changed("ssh", "user")], schema, [at("ssh", "password")]);
  expect(JSON.stringify(change)).toContain("new-s3cret");
});
