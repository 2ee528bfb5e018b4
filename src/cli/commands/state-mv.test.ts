/** Where `state mv` puts what is in modules. */
import { describe, expect, test } from "vitest";
import { parseAddress } from "../../values/address.ts";
import type { StoredInstance } from "../state/stored.ts";
import { planMoves } from "./state-mv.ts";

const stored = (address: string): StoredInstance => {
  const { type, name, key } = parseAddress(address)!;
  const resource = key === undefined ? address : address.slice(0, address.lastIndexOf("["));
  return {
    address,
    resource,
    type,
    name,
    stored: {
      key,
      tainted: false,
      schemaVersion: 0,
      attributes: "{}",
      sensitivePaths: "[]",
      private: new Uint8Array(),
      dependencies: [],
      createBeforeDestroy: false,
    },
  };
};

const instances = [
  'module.a["x"].conn3x_file.f["h1"]',
  'module.a["x"].module.b.conn3x_file.g',
  'module.a["y"].conn3x_file.f["h1"]',
  "module.c.conn3x_file.f",
  "conn3x_file.f",
].map(stored);

const moves = (source: string, destination: string) => {
  const { moves: found, problem } = planMoves(instances, source, destination);
  return problem === undefined ? found.map(({ from, to }) => [from.address, to]) : problem.summary;
};

describe("state mv", () => {
  test.each([
    [
      "a module with all of its instances",
      "module.a",
      "module.d",
      [
        ['module.a["x"].conn3x_file.f["h1"]', 'module.d["x"].conn3x_file.f["h1"]'],
        ['module.a["x"].module.b.conn3x_file.g', 'module.d["x"].module.b.conn3x_file.g'],
        ['module.a["y"].conn3x_file.f["h1"]', 'module.d["y"].conn3x_file.f["h1"]'],
      ],
    ],
    [
      "one of its instances",
      'module.a["x"]',
      "module.d[0]",
      [
        ['module.a["x"].conn3x_file.f["h1"]', 'module.d[0].conn3x_file.f["h1"]'],
        ['module.a["x"].module.b.conn3x_file.g', "module.d[0].module.b.conn3x_file.g"],
      ],
    ],
    ["to a key", "module.c", 'module.c["k"]', [["module.c.conn3x_file.f", 'module.c["k"].conn3x_file.f']]],
    [
      "into a module",
      "conn3x_file.f",
      "module.d.conn3x_file.f",
      [["conn3x_file.f", "module.d.conn3x_file.f"]],
    ],
    [
      "out of a module",
      'module.a["y"].conn3x_file.f["h1"]',
      "conn3x_file.other",
      [['module.a["y"].conn3x_file.f["h1"]', "conn3x_file.other"]],
    ],
    ["several instances to one", "module.a", 'module.d["k"]', "These are several instances"],
    ["a module to a resource", "module.c", "conn3x_file.x", "That is no module"],
    ["a resource to a module", "conn3x_file.f", "module.d", "That is no address"],
    ["to what is there", "conn3x_file.f", "module.c.conn3x_file.f", "There is something at that address"],
  ])("%s", (_, source, destination, expected) => expect(moves(source, destination)).toEqual(expected));
});
