/**
 * @module A `dynamic` block: one block for each element of a collection.
 *
 * Source: OpenTofu's documentation, "dynamic Blocks".
 */
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block, Expression } from "../../hcl/tree.ts";
import { iteratorName } from "../lower/expressions.ts";
import { readBody } from "./body-reader.ts";
import { checkNoLabels } from "./labels.ts";

export interface DynamicBlock {
  /** The type of the blocks that it makes. */
  readonly type: string;
  readonly forEach: Expression;
  /** The name that an element has in the content: an object with `key` and `value`. */
  readonly iterator: string;
  readonly content: Block;
}

/** The type of the blocks that a block stands for: its own, or that which a `dynamic` one names. */
export const typeOfBlocks = ({ type, labels }: Block): string =>
  type === "dynamic" ? (labels[0]?.value ?? "") : type;

const rules = { where: "a dynamic block", attributes: ["for_each", "iterator"], blocks: ["content"] };

/** @returns undefined for what cannot be read, which was reported */
export function readDynamic(block: Block, report: Report): DynamicBlock | undefined {
  let isWhole = true;
  const fail: Report = (problem) => {
    isWhole = false;
    report(problem);
  };
  const [label, extra] = block.labels;
  if (label === undefined || extra !== undefined) {
    const detail = "It has one, the type of the blocks that it makes.";
    fail(errorDiagnostic('A "dynamic" block has one name', detail, { range: extra ?? block.header }));
  }
  const { attributes, blocks } = readBody(block.body, rules, fail);
  const forEach = attributes.get("for_each")?.expression;
  const [content, second] = blocks;
  if (forEach === undefined) {
    const detail = "It says for which elements there is a block: for_each = [ … ].";
    fail(errorDiagnostic('This "dynamic" block has no "for_each"', detail, { range: block.header }));
  }
  if (content === undefined || second !== undefined) {
    const detail = "It has one, with what each of the blocks holds: content { … }.";
    fail(
      errorDiagnostic('A "dynamic" block has one "content" block', detail, {
        range: (second ?? block).header,
      }),
    );
  }
  for (const one of blocks) checkNoLabels(one, fail);
  const given = attributes.get("iterator")?.expression;
  const iterator = given === undefined ? label?.value : iteratorName(given);
  if (given !== undefined && iterator === undefined) {
    const detail = "It names the variable that stands for an element, without quotes: iterator = hop.";
    fail(errorDiagnostic("The iterator is not a single name", detail, { range: given }));
  }
  return isWhole
    ? { type: label!.value, forEach: forEach!, iterator: iterator!, content: content! }
    : undefined;
}
