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
  return block.body.gaps !== undefined || steps.length + handlers.length < maybeMembers(block).length;
}

/** Whether a circuit may have a step or a handler of a name that none of those that are known has. */
export function mayHave(circuit: CircuitDeclaration, role: "step" | "handler", name: string): boolean {
  const { labels, isOpen } = lostNames(circuit, role);
  return isOpen || labels.has(name);
}

export interface LostNames {
  readonly labels: ReadonlySet<string>;
  /** Whether there may be any others. */
  readonly isOpen: boolean;
}

/**
 * How steps and handlers of a circuit may be called that were not understood.
 *
 * @param role of the one kind only
 */
export function lostNames(
  { block, steps, handlers }: CircuitDeclaration,
  role?: "step" | "handler",
): LostNames {
  const other = role === "step" ? "handler" : role === "handler" ? "step" : undefined;
  const written = maybeMembers(block).filter(({ type }) => type !== other);
  const known = { step: steps, handler: handlers };
  const isKnown = (type: string, name: string) =>
    (type === "step" || type === "handler") && known[type].some((member) => member.name === name);
  return {
    labels: new Set(
      written.flatMap(({ type, labels }) =>
        labels.map(({ value }) => value).filter((value) => !isKnown(type, value)),
      ),
    ),
    isOpen:
      block.body.gaps !== undefined ||
      written.some(({ type, labels }) => labels.length === 0 && (type === "step" || type === "handler")),
  };
}

/** Blocks that are steps and handlers, or may be meant as such: their type is none that a circuit has. */
const maybeMembers = ({ body }: Block): readonly Block[] =>
  body.items.filter((item): item is Block => item.kind === "block" && !otherBlocks.includes(item.type));

/** What a circuit has beside steps and handlers. */
const otherBlocks: readonly string[] = ["ssh", "rollout", "moved", "hosts"];

/** Whether some block in it, or the block itself, has a gap. */
export const hasGap = ({ body }: Block): boolean =>
  body.gaps !== undefined || body.items.some((item) => item.kind === "block" && hasGap(item));
