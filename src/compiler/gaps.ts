/**
 * @module Where syntax errors left something that was not understood. What is said about these places would be more
 * errors that are none.
 */
import type { SourceRange } from "../diagnostics/source.ts";
import { isBroken } from "../hcl/broken.ts";
import type { Block, Body } from "../hcl/tree.ts";
import type { CircuitDeclaration } from "./declaration.ts";

/** Blocks whose parts mean something each by itself: a gap among them says nothing about the others. */
const containers: readonly string[] = ["circuit", "locals"];

/** Places in a file about which nothing more is to be said. */
export function gapsIn(body: Body): readonly SourceRange[] {
  const found: SourceRange[] = [...(body.gaps ?? [])];
  const visit = (inner: Body, headers: readonly SourceRange[]): void => {
    for (const item of inner.items) {
      if (item.kind === "block") visitBlock(item, headers);
      else if (isBroken(item.expression)) found.push(item, item.expression);
    }
  };
  /** @param headers of the blocks around it that may miss something with it */
  const visitBlock = (block: Block, headers: readonly SourceRange[]): void => {
    const isContainer = containers.includes(block.type);
    if (block.body.gaps !== undefined) {
      if (isContainer) found.push(block.header, ...block.body.gaps);
      else found.push(block, ...headers);
    }
    visit(block.body, isContainer ? [] : [...headers, block.header]);
  };
  visit(body, []);
  return found;
}

/** Whether a circuit may have other steps and handlers than those that are known. */
export function mayHaveOthers({ block, steps, handlers }: CircuitDeclaration): boolean {
  const written = block.body.items.filter(
    (item) => item.kind === "block" && (item.type === "step" || item.type === "handler"),
  );
  return block.body.gaps !== undefined || steps.length + handlers.length < written.length;
}

/** Whether some block in it, or the block itself, has a gap. */
export const hasGap = ({ body }: Block): boolean =>
  body.gaps !== undefined || body.items.some((item) => item.kind === "block" && hasGap(item));
