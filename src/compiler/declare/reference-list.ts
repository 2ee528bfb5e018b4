/**
 * @module Lists of references, such as `depends_on`.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Expression } from "../../hcl/tree.ts";

/** The names of a reference without its indices: `["aws_instance", "web"]`. */
export type ReferencePath = readonly string[];

/** The references in `depends_on = […]`; other elements are reported. */
export function referenceList(attribute: Attribute, report: Report): readonly Expression[] {
  const { name, expression } = attribute;
  if (expression.kind !== "tuple") {
    report(
      errorDiagnostic(`"${name}" is not a list`, `Write the references in brackets: ${name} = [ … ].`, {
        range: expression,
      }),
    );
    return [];
  }
  return expression.items.filter((item) => {
    if (referencePath(item) !== undefined) return true;
    report(
      errorDiagnostic(
        `"${name}" holds something that is not a reference`,
        "Name what is to be waited for, without quotes: circuit.base, aws_instance.web, module.network.",
        { range: item },
      ),
    );
    return false;
  });
}

/** The path of a reference such as `aws_instance.web` or `aws_instance.web[0]`; undefined for other expressions. */
export function referencePath(expression: Expression): ReferencePath | undefined {
  switch (expression.kind) {
    case "variable":
      return [expression.name];
    case "attributeAccess": {
      const object = referencePath(expression.object);
      return object === undefined ? undefined : [...object, expression.name];
    }
    case "index":
      return referencePath(expression.collection);
    default:
      return undefined;
  }
}
