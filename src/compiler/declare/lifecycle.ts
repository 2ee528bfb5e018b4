/**
 * @module `lifecycle` blocks: their names. What they mean is OpenTofu's.
 */
import type { Report } from "../../diagnostics/report.ts";
import type { Block } from "../../hcl/tree.ts";
import { readBody } from "./body-reader.ts";
import { declareCondition } from "./conditions.ts";

const attributes = ["create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"];
const conditions = ["precondition", "postcondition"];

/** Reports what does not belong there. */
export function checkLifecycle(block: Block, report: Report): void {
  const content = readBody(block.body, { where: "lifecycle", attributes, blocks: conditions }, report);
  for (const condition of content.blocks) declareCondition(condition, `a ${condition.type}`, report);
}
