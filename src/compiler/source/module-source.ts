/**
 * @module The source of a `module` block.
 */
import type { Block, Expression } from "../../hcl/tree.ts";
import { literalString } from "../hosts/literal.ts";

/** The expression of `source` in a `module` block. */
export function sourceOf(block: Block): Expression | undefined {
  const source = block.body.items.find((item) => item.kind === "attribute" && item.name === "source");
  return source?.kind === "attribute" ? source.expression : undefined;
}

/** The `source` of a `module` block, if it is a string without `${…}`. */
export function moduleSource(block: Block): string | undefined {
  const source = sourceOf(block);
  return source && literalString(source);
}

/** Whether a source is a directory relative to the calling module: `./` or `../`. */
export const isLocalSource = (source: string): boolean => /^\.\.?\//.test(source);
