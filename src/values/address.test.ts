import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  callPathText,
  formatAddress,
  parseAddress,
  resourceAddress,
  resourceNameOf,
  withoutDeposedKey,
  withoutModuleKeys,
} from "./address.ts";
import { anyAddress, file } from "./testing/addresses.ts";

describe("an address", () => {
  test("in text", () => {
    const address = file('a"${b}\\', [
      { name: "site", key: "a.b[0]" },
      { name: "inner", key: 2 },
    ]);
    const text = 'module.site["a.b[0]"].module.inner[2].conn3x_file.web__config["a\\"$${b}\\\\"]';
    expect(formatAddress(address)).toBe(text);
    expect(parseAddress(text)).toEqual(address);
  });

  test("shows what nobody would see in a key, as OpenTofu does", () => {
    expect(formatAddress(file("a \u009b2J\u202e\u00a0\u001b👍", []))).toBe(
      'conn3x_file.web__config["a \\u009b2J\\u202e\\u00a0\\u001b👍"]',
    );
  });

  test.each([
    "",
    "a",
    "a.b.c",
    "a.b.",
    ".a.b",
    "a[0].b",
    "module.a",
    "module.a.b",
    'a.b["c',
    "a.b[x]",
    "a b.c",
  ])("is not %j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  test("comes back from what is printed", () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        expect(parseAddress(formatAddress(address))).toEqual(address);
      }),
    );
  });
});

test.each([
  ["conn3x_file.web__config", { module: "", type: "conn3x_file", name: "web__config" }],
  ["module.a.conn3x_file.x", { module: "module.a", type: "conn3x_file", name: "x" }],
  [
    'module.a["b.c\\"] d"].module.e[0].conn3x_file.x',
    { module: 'module.a["b.c\\"] d"].module.e[0]', type: "conn3x_file", name: "x" },
  ],
])("%s is taken apart and put together again", (address, name) => {
  expect(resourceNameOf(address)).toEqual(name);
  expect(resourceAddress(name)).toBe(address);
});

test.each([
  ["conn3x_file.x", "conn3x_file.x"],
  ['module.a["b]\\"].c"].module.d[12].conn3x_file.x', "module.a.module.d.conn3x_file.x"],
])("%s without keys of modules is %s", (address, expected) => {
  expect(withoutModuleKeys(address)).toBe(expected);
});

test("a way of calls is the address of a module without keys", () => {
  expect(callPathText([])).toBe("");
  expect(callPathText(["a", "b"])).toBe("module.a.module.b");
});

test.each([
  ['a_b.c["x"] (deposed 1a2b3c4d)', 'a_b.c["x"]'],
  ["a_b.c (deposed object 1a2b3c4d)", "a_b.c"],
  ['a_b.c["(deposed 1a2b3c4d)"]', 'a_b.c["(deposed 1a2b3c4d)"]'],
])("%s is an object of %s", (text, address) => {
  expect(withoutDeposedKey(text)).toBe(address);
});
