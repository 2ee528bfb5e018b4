import { expect, test } from "vitest";
import { parseAddress } from "../../values/address.ts";
import { inOrder, memberItems, modulesJson } from "./modules-json.ts";

const place = (address: string) => ({ address, ...parseAddress(address)! });

test("instances are in the modules that they are in", () => {
  const places = [
    'module.m["x.y"].module.n.conn3x_file.b[0]',
    'module.m["x.y"].conn3x_file.c["k"]',
    "conn3x_file.a",
    "module.l.conn3x_file.d",
  ].map(place);
  expect(JSON.parse(modulesJson(places, ({ name }) => `"${name}"`))).toEqual({
    resources: ["a"],
    child_modules: [
      { resources: ["d"], address: "module.l" },
      {
        resources: ["c"],
        address: 'module.m["x.y"]',
        child_modules: [{ resources: ["b"], address: 'module.m["x.y"].module.n' }],
      },
    ],
  });
});

test("nothing is an empty module", () => expect(modulesJson([], () => "")).toBe("{}"));

// As OpenTofu compares addresses: numbers as numbers, and before texts.
test("instances have OpenTofu's order", () => {
  const sorted = [
    "conn3x_directory.z",
    "conn3x_file.a",
    "conn3x_file.a[2]",
    "conn3x_file.a[10]",
    'conn3x_file.a["1"]',
    "conn3x_file.b",
    "module.l.conn3x_file.a",
    "module.l[2].conn3x_file.a",
    "module.l[10].conn3x_file.a",
    "module.a.module.a.conn3x_directory.a",
  ];
  const places = inOrder([...sorted].reverse().map(place));
  expect(places.map(({ address }) => address)).toEqual(sorted);
});

test("the root module has no address", () => {
  expect(memberItems(place('conn3x_file.a["module.x"]')).module_address).toBe(undefined);
  expect(memberItems(place('module.m[0].conn3x_file.a["k"]')).module_address).toBe('"module.m[0]"');
});
