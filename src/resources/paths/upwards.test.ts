import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { oneUp } from "../../script/upwards.ts";
import { linkFacts } from "../link/facts.ts";
import { needFacts } from "../needs/facts.ts";
import { askPaths } from "./path-facts.ts";

const shell = (input: string) => spawnSync("/bin/sh", [], { input, timeout: 5000, encoding: "utf8" });

test.each([
  ["/a/b c", "/a"],
  ["/a", ""],
  ["", ""],
  ["a/b", "a"],
  ["a", ""],
])("from %j it goes to %j", (path, parent) => {
  expect(shell(`p='${path}'; ${oneUp("p")}; printf '<%s>' "$p"`).stdout).toBe(`<${parent}>`);
});

test("questions about a path that is none end", () => {
  for (const path of ["null", "a/b", ""]) {
    const asked = [
      askPaths([[path, true]], true),
      linkFacts.ask([[path, ""]], false),
      needFacts.ask([{ what: "space", name: path }], false),
    ];
    for (const { text } of asked) expect(shell(text).error).toBeUndefined();
  }
});
