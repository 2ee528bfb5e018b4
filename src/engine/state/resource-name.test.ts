import { expect, test } from "vitest";
import { resourceAddress, resourceNameOf, withoutModuleKeys } from "./resource-name.ts";

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
