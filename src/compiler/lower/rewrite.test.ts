import { expect, test } from "vitest";
import { SourceFile } from "../../diagnostics/source.ts";
import { parseExpression } from "../../hcl/parse/parse.ts";
import { printExpression } from "../../hcl/print/print.ts";
import { rewriteExpression } from "./rewrite.ts";

/** Every `host` replaced by `each`, except where a `for` hides it. */
const rewritten = (text: string): string =>
  printExpression(
    rewriteExpression(parseExpression(new SourceFile("test", text)).expression, (node, hidden) =>
      node.kind === "variable" && node.name === "host" && !hidden.has("host")
        ? { ...node, name: "each" }
        : undefined,
    ),
  );

test.each([
  ["f(host.name)", "f(each.name)"],
  ["{ host = host }", "{ host = each }"],
  ["[for host in host.list : host.name]", "[for host in each.list : host.name]"],
  ["a[*].b[host.name]", "a[*].b[each.name]"],
  ["a[*].b[*][host.name]", "a[*].b[*][each.name]"],
])("%s", (text, expected) => {
  expect(rewritten(text)).toBe(expected);
});
