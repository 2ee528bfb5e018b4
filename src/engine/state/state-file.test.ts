import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InstanceKey } from "../../values/address.ts";
import { fromJson, parseJson } from "../../values/json/json.ts";
import { dynamicType, numberType, objectOf, stringType } from "../../values/type.ts";
import { numberValue, unknownValue } from "../../values/value.ts";
import { escapeLikeGo, layOut } from "./json-layout.ts";
import { readState } from "./read-state.ts";
import { State, type StateFile, type StateInstance, storedProvider } from "./state.ts";
import { valueText } from "./value-text.ts";
import { compareKeys, stateText } from "./write-state.ts";

/** States that real engines wrote for `capture.tf`; as ours, when their provider is replaced by ours. */
const fixture = (name: string): string =>
  readFileSync(new URL(`../testing/fixtures/${name}`, import.meta.url), "utf8");
const asOurs = (text: string): string =>
  text.replaceAll(
    JSON.stringify('provider["terraform.io/builtin/terraform"]'),
    JSON.stringify(storedProvider),
  );

function read(text: string): StateFile {
  const { state, problem } = readState(text, "terraform.tfstate");
  if (problem !== undefined) throw new Error(`${problem.summary}: ${problem.detail}`);
  return state;
}

describe("a state that another engine wrote", () => {
  for (const name of [
    "terraform-1.11.tfstate",
    "opentofu-1.12.tfstate",
    "opentofu-1.12-deposed.tfstate",
    "opentofu-empty.tfstate",
  ]) {
    test(`${name} is written again byte for byte, as ours and as foreign`, () => {
      const text = fixture(name).trimEnd();
      expect(stateText(read(text)).trimEnd()).toBe(text);
      expect(stateText(read(asOurs(text))).trimEnd()).toBe(asOurs(text));
    });
  }

  test("is understood", () => {
    const state = read(asOurs(fixture("opentofu-1.12.tfstate")));
    expect(state.toolVersion).toBe("1.12.6");
    expect([...state.resources.keys()]).toEqual([
      "terraform_data.a",
      "terraform_data.bad",
      "terraform_data.c",
      "terraform_data.cbd",
    ]);
    expect([...state.resources.get("terraform_data.c")!.instances.keys()]).toEqual([0, 1]);
    expect([...state.resources.get("terraform_data.a")!.instances.keys()]).toEqual(["a", "h/k", "x<y"]);
    const bad = state.resources.get("terraform_data.bad")!.instances.get(undefined)!;
    expect(bad.tainted).toBe(true);
    expect(bad.dependencies).toEqual(["terraform_data.a", "terraform_data.c", "terraform_data.cbd"]);
    expect(state.outputs.get("plain")).toEqual({
      value: "9007199254740993",
      type: '"number"',
      sensitive: false,
    });
    expect(state.outputs.get("sec")!.sensitive).toBe(true);
    expect(state.checkResults).toContain('"check.x"');
  });

  test("has old objects that replacements left beside the instances", () => {
    const state = read(asOurs(fixture("opentofu-1.12-deposed.tfstate")));
    const { instances, deposed } = state.resources.get("terraform_data.a")!;
    expect([...instances.keys()]).toEqual(["x", "y"]);
    expect([...deposed!.values()].map(({ key, deposed }) => [key, deposed])).toEqual([
      ["x", "e6eed53b"],
      ["y", "d04f75eb"],
    ]);
  });
});

test("objects that another engine wrote are written again as they were", () => {
  // Of `terraform_data`: it has values of any type in it.
  const dynamic = dynamicType;
  const type = objectOf({ id: stringType, input: dynamic, output: dynamic, triggers_replace: dynamic });
  let objects = 0;
  for (const { instances } of read(asOurs(fixture("terraform-1.11.tfstate"))).resources.values()) {
    for (const { attributes } of instances.values()) {
      const object = fromJson(parseJson(attributes), type);
      if (!("value" in object)) throw new Error(object.error);
      expect(layOut(escapeLikeGo(valueText(object.value, type)), 5)).toBe(layOut(attributes, 5));
      objects++;
    }
  }
  expect(objects).toBe(7);
});

test("an unknown and an infinity are not stored", () => {
  expect(() => valueText(unknownValue(stringType), stringType)).toThrow(RangeError);
  expect(() => valueText(numberValue(Number.POSITIVE_INFINITY), numberType)).toThrow(RangeError);
});

describe("what is not a state to work with is refused", () => {
  const good = fixture("opentofu-empty.tfstate");
  for (const [what, text, summary] of [
    ["half a file", fixture("opentofu-1.12.tfstate").slice(0, 2000), "State file is damaged"],
    ["another JSON", '{"a": 1}', "Not a state file"],
    ["an array", "[]", "Not a state file"],
    ["a newer format", good.replace('"version": 4', '"version": 5'), "State file is of a newer format"],
    ["an older format", good.replace('"version": 4', '"version": 3'), "State file is of an older format"],
    ["a format that is no number", good.replace('"version": 4', '"version": "4"'), "State file is damaged"],
    [
      "an encrypted one",
      '{"meta":{},"encrypted_data":"YQ==","encryption_version":"v0"}',
      "State file is encrypted",
    ],
    ["one without lineage", good.replace("lineage", "x"), "State file is damaged"],
    ["one with a negative serial", good.replace(/"serial": \d+/, '"serial": -1'), "State file is damaged"],
    [
      "one with a module that is no address",
      asOurs(fixture("opentofu-1.12.tfstate")).replace(
        '"mode": "managed"',
        '"module": "module.a[", "mode": "managed"',
      ),
      "State file is damaged",
    ],
    [
      "one with an instance twice",
      asOurs(fixture("opentofu-1.12.tfstate")).replace('"index_key": 1', '"index_key": 0'),
      "State file is damaged",
    ],
    [
      "one with an old object twice",
      asOurs(fixture("opentofu-1.12-deposed.tfstate")).replace("d04f75eb", "e6eed53b"),
      "State file is damaged",
    ],
  ] as const) {
    test(what, () => expect(readState(text, "terraform.tfstate").problem?.summary).toBe(summary));
  }

  test("an empty file is no state yet", () => expect(read("").serial).toBe(0));
});

const instance = (key: InstanceKey, attributes = "{}"): StateInstance => ({
  key,
  tainted: false,
  schemaVersion: 0,
  attributes,
  sensitivePaths: "[]",
  private: new Uint8Array(),
  dependencies: [],
  createBeforeDestroy: false,
});

test("instances are put, replaced and removed, and a resource goes with its last one", () => {
  const state = new State(read(""));
  state.put("conn3x_file", "a", instance("h1"));
  state.put("conn3x_file", "a", instance("h2"));
  state.put("conn3x_file", "a", instance("h1", '{"x":1}'));
  expect(state.get("conn3x_file.a", "h1")!.attributes).toBe('{"x":1}');
  state.remove("conn3x_file.a", "h1");
  expect([...state.resources.get("conn3x_file.a")!.instances.keys()]).toEqual(["h2"]);
  state.remove("conn3x_file.a", "h2");
  expect(state.resources.size).toBe(0);
});

test("whatever instances there are come back from what is written", () => {
  const key = fc.oneof(fc.constant(undefined), fc.nat(), fc.string());
  const stored = fc.record({
    key,
    tainted: fc.boolean(),
    schemaVersion: fc.nat(),
    attributes: fc.dictionary(fc.string(), fc.jsonValue()).map((object) => JSON.stringify(object)),
    private: fc.uint8Array(),
    dependencies: fc.array(fc.string()),
    createBeforeDestroy: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.uniqueArray(stored, { selector: ({ key }) => key }), (instances) => {
      const state = new State(read(""));
      for (const one of instances) state.put("conn3x_file", "a", { ...one, sensitivePaths: "[]" });
      const text = stateText(state.toFile({ serial: 1, lineage: "l" }));
      const back = [...(read(text).resources.get("conn3x_file.a")?.instances.values() ?? [])];
      const plain = (list: readonly { key: InstanceKey; attributes: string; private: Uint8Array }[]) =>
        list
          .map((one) => ({ ...one, attributes: JSON.parse(one.attributes), private: [...one.private] }))
          .sort((a, b) => compareKeys(a.key, b.key));
      expect(plain(back)).toEqual(plain(instances.map((one) => ({ ...one, sensitivePaths: "[]" }))));
    }),
  );
});

test("any JSON is laid out as JSON.stringify does with two spaces", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      expect(layOut(JSON.stringify(json), 0)).toBe(JSON.stringify(json, null, 2));
      expect(layOut(JSON.stringify(json, null, 4), 0)).toBe(JSON.stringify(json, null, 2));
    }),
  );
});
