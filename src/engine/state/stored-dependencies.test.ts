import { expect, test } from "vitest";
import { storedDependencies } from "./stored-dependencies.ts";

const meant = storedDependencies([
  "conn3x_file.a",
  "module.m[0].conn3x_file.a",
  "module.m[1].conn3x_file.a",
  'module.m[1].module.n["x"].conn3x_file.b',
  "module.other.conn3x_file.a",
]);

test.each([
  ["conn3x_file.b", "conn3x_file.a", ["conn3x_file.a"]],
  ["conn3x_file.b", "conn3x_file.gone", []],
  ["conn3x_file.b", "module.m.conn3x_file.a", ["module.m[0].conn3x_file.a", "module.m[1].conn3x_file.a"]],
  ["module.m[1].conn3x_file.b", "module.m.conn3x_file.a", ["module.m[1].conn3x_file.a"]],
  ['module.m[0].module.n["x"].conn3x_file.a', "module.m.module.n.conn3x_file.b", []],
  [
    'module.m[1].module.k["y"].conn3x_file.a',
    "module.m.module.n.conn3x_file.b",
    ['module.m[1].module.n["x"].conn3x_file.b'],
  ],
  ["module.m[0].conn3x_file.a", "module.other.conn3x_file.a", ["module.other.conn3x_file.a"]],
])("%s after %s", (resource, dependency, expected) => {
  expect(meant(resource, dependency)).toEqual(expected);
});
