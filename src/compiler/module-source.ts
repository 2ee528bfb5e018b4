/**
 * @module Where a `module` block says that its module is.
 */
import type { Block } from "../hcl/tree.ts";
import { literalString } from "./literal.ts";

/** The `source` of a `module` block, when it is text without `${…}`. */
export function moduleSource(block: Block): string | undefined {
  const source = block.body.items.find((item) => item.kind === "attribute" && item.name === "source");
  return source?.kind === "attribute" ? literalString(source.expression) : undefined;
}

/** Whether a module's source is a directory beside the one that calls it. */
export const isLocalSource = (source: string): boolean => /^\.\.?\//.test(source);
