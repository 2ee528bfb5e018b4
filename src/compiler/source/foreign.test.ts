import { expect, test } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { parseFile } from "../../hcl/parse/parse.ts";
import { whyForeign } from "./foreign.ts";

function why(text: string): string | undefined {
  const [block] = parseFile(new SourceFile("main.tf", text)).body.items;
  if (block?.kind !== "block") throw new Error("a block");
  return whyForeign(block);
}

test.each([
  'module "a" {\n source = "./a"\n}',
  'module "a" {\n source = "../a"\n providers = { conn3x = conn3x }\n}',
  'import {\n to = conn3x_file.a\n id = "x"\n}',
  'check "a" {\n assert {\n condition = true\n error_message = "x"\n }\n}',
  "removed {\n from = module.a\n}",
])("is for the embedded engine as well: %s", (text) => expect(why(text)).toBe(undefined));

test.each([
  ['module "a" {\n source = "hashicorp/consul/aws"\n}', "fetches nothing"],
  [
    'module "a" {\n source = "git::https://example.com/a.git"\n}',
    '"git::https://example.com/a.git" is not a directory',
  ],
  [
    'module "a" {\n source = "./a"\n providers = { conn3x = conn3x.other }\n}',
    "Several configurations of the provider",
  ],
  ['module "a" {\n source = "./a"\n lifecycle {\n enabled = false\n }\n}', '"lifecycle" of a module'],
  ['import {\n to = conn3x_file.a\n id = "x"\n provider = conn3x.b\n}', "Several configurations"],
  ['check "a" {\n data "http" "b" {\n }\n}', "another provider (http)"],
])("is not: %s", (text, reason) => expect(why(text)).toContain(reason));
