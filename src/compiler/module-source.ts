/**
 * @module Where a `module` block says that its module is.
 */
import type { Block, Expression } from "../hcl/tree.ts";
import { literalString } from "./literal.ts";

/** The `source` of a `module` block, as it is written. */
export function sourceOf(block: Block): Expression | undefined {
  const source = block.body.items.find((item) => item.kind === "attribute" && item.name === "source");
  return source?.kind === "attribute" ? source.expression : undefined;
}

/** The `source` of a `module` block, when it is text without `${…}`. */
export function moduleSource(block: Block): string | undefined {
  const source = sourceOf(block);
  return source && literalString(source);
}

/** Whether a module's source is a directory beside the one that calls it. */
export const isLocalSource = (source: string): boolean => /^\.\.?\//.test(source);
