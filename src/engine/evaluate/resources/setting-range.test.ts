import { describe, expect, it } from "vitest";
import { SourceFile } from "../../../diagnostics/source.ts";
import { parseFile } from "../../../hcl/parse/parse.ts";
import { at } from "../../../values/path.ts";
import { settingRange } from "./setting-range.ts";

const file = new SourceFile(
  "main.tf",
  `path = "/a"
environment = { A = "x", null = "y" }
steps = [{ port = 1 }, { port = 2 }]
ssh {
  address = "10.0.0.1"
  bastion {
    address = "first"
  }
  bastion {
    address = "second"
    port    = 99
  }
}
login {
  dynamic "bastion" {
    for_each = try([for hop in each.value.bastion : hop], [{ address = "third" }])
    content {
      address = bastion.value.address
    }
  }
}
`,
);
const { body } = parseFile(file);

type Steps = readonly (string | number | { readonly key: string })[];

const found = (...steps: Steps): string | undefined => {
  const range = settingRange(body, at(...steps));
  return range && file.text.slice(range.start, range.end);
};

describe("where a setting is written", () => {
  it.each<[what: string, steps: Steps, text: string | undefined]>([
    ["a setting", ["path"], '"/a"'],
    ["an element of a map", ["environment", { key: "A" }], '"x"'],
    ["an element whose key is a word of the language", ["environment", { key: "null" }], '"y"'],
    [
      "an element that is not in the text: the whole",
      ["environment", { key: "B" }],
      '{ A = "x", null = "y" }',
    ],
    ["an attribute of an element", ["steps", 1, "port"], "2"],
    ["a setting of a block", ["ssh", "address"], '"10.0.0.1"'],
    ["a setting of the first block of several", ["ssh", "bastion", 0, "address"], '"first"'],
    ["a setting of another one", ["ssh", "bastion", 1, "port"], "99"],
    ["one that such a block does not have: the block", ["ssh", "bastion", 0, "port"], "bastion"],
    ["a block that is not there: the one around it", ["ssh", "bastion", 2, "port"], "ssh"],
    ["a setting of what a dynamic block is made of", ["login", "bastion", 0, "address"], '"third"'],
    ["what is not there", ["mode"], undefined],
  ])("%s", (_, steps, text) => {
    expect(found(...steps)).toBe(text);
  });
});
