/**
 * @module JSON values as HCL writes them.
 */
import { quote } from "../../hcl/print/quote.ts";
import type { JsonNode } from "./tree.ts";

/** Numbers keep all their digits, and nothing in a string is a template. */
export function nativeText(node: JsonNode): string {
  switch (node.kind) {
    case "object":
      return `{${node.members.map(({ key, value }) => `${quote(key.value)}=${nativeText(value)}`).join(",")}}`;
    case "array":
      return `[${node.items.map(nativeText).join(",")}]`;
    case "string":
      return quote(node.value);
    case "number":
      return node.text;
    case "keyword":
      return String(node.value);
  }
}
