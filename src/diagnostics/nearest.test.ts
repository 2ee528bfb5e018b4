import { describe, expect, it } from "vitest";
import { didYouMean, nearest } from "./nearest.ts";

describe("nearest", () => {
  it.each([
    ["uper", ["lower", "upper"], "upper"],
    ["moduel", ["module", "model"], "module"],
    ["Path", ["path"], "path"],
    ["lenght", ["length"], "length"],
    ["vra", ["var", "local"], "var"],
    ["abc", ["xyz", "abcdef"], undefined],
    ["if", ["of", "path"], "of"],
    ["no", ["path"], undefined],
    ["x", [], undefined],
    ["b", ["a"], undefined],
    ["A", ["a"], "a"],
  ])("%s among %j is %s", (name, candidates, found) => {
    expect(nearest(name, candidates)).toBe(found);
  });

  it("makes a sentence", () => {
    expect(didYouMean("uper", ["upper"])).toBe(' Did you mean "upper"?');
    expect(didYouMean("uper", ["x"])).toBe("");
  });
});
