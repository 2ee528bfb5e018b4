import { expect, test } from "vitest";
import { moduleAddress, rootModuleText } from "./modules-json.ts";

test("instances are in the modules that they are in", () => {
  const addresses = [
    "conn3x_file.a",
    'module.m["x.y"].module.n.conn3x_file.b[0]',
    'module.m["x.y"].conn3x_file.c["k"]',
    "module.l.conn3x_file.d",
  ];
  const text = rootModuleText(addresses.map((address, at) => ({ address, text: String(at) })));
  expect(JSON.parse(text)).toEqual({
    resources: [0],
    child_modules: [
      { resources: [3], address: "module.l" },
      {
        resources: [2],
        address: 'module.m["x.y"]',
        child_modules: [{ resources: [1], address: 'module.m["x.y"].module.n' }],
      },
    ],
  });
});

test("nothing is an empty module", () => expect(rootModuleText([])).toBe("{}"));

test("the root module has no address", () => {
  expect(moduleAddress('conn3x_file.a["module.x"]')).toBe(undefined);
  expect(moduleAddress('module.m[0].conn3x_file.a["k"]')).toBe("module.m[0]");
});
