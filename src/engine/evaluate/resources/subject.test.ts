import { describe, expect, test } from "vitest";
import { scopeOf } from "../../../eval/scope.ts";
import { parsed } from "../../../eval/testing.ts";
import { dynamicType } from "../../../values/type.ts";
import { nullValue, numberValue, objectValue, stringValue, type Value } from "../../../values/value.ts";
import { type Expansion, expandResource, hostKeyOf } from "./expansion.ts";
import { subjectOf } from "./subject.ts";

const { file, start, end } = parsed("null");
const range = { file, start, end };
const resource = (ownKeys: boolean) => ({
  type: "conn3x_file",
  name: "web__a",
  address: "conn3x_file.web__a",
  forEach: parsed("hosts"),
  count: undefined,
  body: { items: [], ...range },
  dependsOn: [],
  lifecycle: undefined,
  origin: { circuit: "web", member: "a", role: "step" as const, kind: "file", ownKeys },
  range,
});

/** The value that the compiler makes for an instance of a step with keys of its own. */
const pair = (host: Value, key: Value): Value =>
  objectValue({ host: objectValue({ name: host }), key, value: nullValue(dynamicType) });

function expansionOf(ownKeys: boolean, entries: Readonly<Record<string, Value>>): Expansion {
  const scope = scopeOf({ hosts: objectValue(entries) });
  return expandResource(resource(ownKeys), scope).expansion!;
}

describe("the host and own key of an instance", () => {
  // Keys that would be read otherwise: what is meant counts, not the text.
  test.each<[string, boolean, string, Value, object | undefined]>([
    ["a host", false, "h1", objectValue({}), { host: "h1", own: undefined }],
    ["a pair", true, "h1/a/b", pair(stringValue("h1"), stringValue("a/b")), { host: "h1", own: "a/b" }],
    ["an empty own key", true, "h1/", pair(stringValue("h1"), stringValue("")), { host: "h1", own: "" }],
    ["numbers", true, "1/0", pair(numberValue(1), numberValue(0)), { host: "1", own: "0" }],
    ["another key", true, "x", pair(stringValue("h2"), stringValue("y")), { host: "h2", own: "y" }],
    ["what is no pair", true, "h1/x", nullValue(dynamicType), undefined],
  ])("%s", (_, ownKeys, key, value, expected) => {
    expect(hostKeyOf(expansionOf(ownKeys, { [key]: value }), key)).toEqual(expected);
  });

  test.each([
    ["a step that has no keys of its own any more", resource(false), "h1/x", "h1", "x"],
    ["a step that has got keys of its own", resource(true), "h1", "h1", undefined],
    ["a step that is gone", undefined, "h1/x/y", "h1", "x/y"],
  ])("is read from the key of a stored instance: %s", (_, configured, key, host, ownKey) => {
    const subject = subjectOf(configured, "conn3x_file.web__a", key, expansionOf(true, {}));
    expect([subject.circuit, subject.member, subject.host, subject.ownKey]).toEqual([
      "web",
      "a",
      host,
      ownKey,
    ]);
  });

  test("a resource block has none", () => {
    const { host, circuit } = subjectOf(
      { ...resource(false), origin: undefined },
      "conn3x_file.web__a",
      "h1/x",
    );
    expect([host, circuit]).toEqual([undefined, undefined]);
  });
});
