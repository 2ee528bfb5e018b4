/**
 * @module Blocks that have a condition: `validation`, `assert`, `precondition`, `postcondition`.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { references } from "../../eval/references.ts";
import type { Block, Expression } from "../../hcl/tree.ts";
import type { Condition } from "../model.ts";
import { type BodyContent, readBody } from "./body-reader.ts";
import { checkNoLabels } from "./labels.ts";

/** A block with a condition and the message for when it fails. */
export function declareCondition(block: Block, where: string, report: Report): Condition | undefined {
  checkNoLabels(block, report);
  const content = readBody(
    block.body,
    { where, attributes: ["condition", "error_message"], blocks: [] },
    report,
  );
  const condition = required(content, "condition", block, report);
  const message = required(content, "error_message", block, report);
  // A validation must be about its own variable, which is said elsewhere.
  const isAboutNothing = condition !== undefined && references(condition).length === 0;
  if (isAboutNothing && block.type !== "validation") report(aboutNothing(condition));
  return condition === undefined || message === undefined
    ? undefined
    : { condition, message, range: block.header };
}

/** What is the same whatever is configured and found checks nothing: OpenTofu takes it for a mistake. */
const aboutNothing = (range: SourceRange) =>
  errorDiagnostic(
    "The condition is about nothing",
    "It must refer to something, such as a variable, an attribute or a host: else it would check nothing.",
    { range },
  );

/** Reports an argument that is not there. */
export function required(
  content: BodyContent,
  name: string,
  block: Block,
  report: Report,
): Expression | undefined {
  const found = content.attributes.get(name)?.expression;
  if (found === undefined) {
    report(
      errorDiagnostic(`"${block.type}" needs "${name}"`, `Add ${name} = … to it.`, { range: block.header }),
    );
  }
  return found;
}
