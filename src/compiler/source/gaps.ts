/**
 * @module Ranges that were not understood after syntax errors. Further errors about them would only follow from
 * the first.
 */
import type { SourceRange } from "../../diagnostics/source.ts";
import { isBroken } from "../../hcl/parse/broken.ts";
import type { Block, Body } from "../../hcl/tree.ts";
import type { CircuitDeclaration } from "../declare/declaration.ts";

/** Blocks whose items are independent of each other: a gap among them does not affect the others. */
const containers: readonly string[] = ["circuit", "locals"];

/** The ranges in a file about which nothing more is reported. */
export function gapsIn(body: Body): readonly SourceRange[] {
  const found: SourceRange[] = [...(body.gaps ?? [])];
  const visit = (inner: Body, headers: readonly SourceRange[]): void => {
    for (const item of inner.items) {
      if (item.kind === "block") visitBlock(item, headers);
      else if (isBroken(item.expression)) found.push(item, item.expression);
    }
  };
  /** @param headers of the surrounding blocks, which may lack something because of a gap in this one */
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

/** Whether a circuit may have steps or handlers that were not understood. */
export function mayHaveOthers({ block, steps, handlers }: CircuitDeclaration): boolean {
  return block.body.gaps !== undefined || steps.length + handlers.length < maybeMembers(block).length;
}

/** Whether a circuit may have a step or handler of this name that was not understood. */
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
 * Possible names of the steps and handlers of a circuit that were not understood.
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

/** Steps, handlers, and blocks of unknown types, which may be meant as either. */
const maybeMembers = ({ body }: Block): readonly Block[] =>
  body.items.filter((item): item is Block => item.kind === "block" && !otherBlocks.includes(item.type));

/** Block types of a circuit other than steps and handlers. */
const otherBlocks: readonly string[] = ["ssh", "rollout", "moved", "hosts"];

/** Whether the block, or any block in it, has a gap. */
export const hasGap = ({ body }: Block): boolean =>
  body.gaps !== undefined || body.items.some((item) => item.kind === "block" && hasGap(item));
