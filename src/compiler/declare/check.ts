/**
 * @module `check` blocks.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Block } from "../../hcl/tree.ts";
import type { Check } from "../model.ts";
import { readBody } from "./body-reader.ts";
import { declareCondition } from "./conditions.ts";
import { singleName } from "./labels.ts";

/** Reads the assertions. A `data` block in it is for other engines. */
export function declareCheck(block: Block, report: Report): Check | undefined {
  const name = singleName(block, report);
  if (name === undefined) return undefined;
  const { blocks } = readBody(
    block.body,
    { where: "a check", attributes: [], blocks: ["assert", "data"] },
    report,
  );
  const assertions = blocks.filter(({ type }) => type === "assert");
  if (assertions.length === 0) {
    report(
      errorDiagnostic(
        `Check "${name}" asserts nothing`,
        "Add assert { condition = …, error_message = … } to it.",
        {
          range: block.header,
        },
      ),
    );
  }
  return {
    name,
    assertions: assertions.flatMap((assertion) => declareCondition(assertion, "an assertion", report) ?? []),
    range: block.header,
  };
}
