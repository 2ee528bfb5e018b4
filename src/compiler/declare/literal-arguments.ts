/**
 * @module Arguments that are needed before anything is evaluated, and so have to be literals.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute } from "../../hcl/tree.ts";
import { literalString } from "../hosts/literal.ts";

/** The string of an argument; empty without one, and for anything else, which is reported. */
export function literalText(attribute: Attribute | undefined, report: Report): string {
  if (attribute === undefined) return "";
  const text = literalString(attribute.expression);
  if (text === undefined) reportNotLiteral(attribute, "text in quotes without ${…}", report);
  return text ?? "";
}

/**
 * The value of an argument that is `true` or `false`.
 *
 * @param otherwise the value without the argument
 * @param unclear the value for anything else, which is reported; default: `otherwise`
 */
export function literalBool(
  attribute: Attribute | undefined,
  otherwise: boolean,
  report: Report,
  unclear = otherwise,
): boolean {
  if (attribute === undefined) return otherwise;
  const { expression } = attribute;
  if (expression.kind === "keyword" && expression.value !== null) return expression.value;
  const text = literalString(expression);
  if (text === "true" || text === "false") return text === "true";
  reportNotLiteral(attribute, "true or false", report);
  return unclear;
}

const reportNotLiteral = (attribute: Attribute, what: string, report: Report): void =>
  report(
    errorDiagnostic(
      `"${attribute.name}" must be written out`,
      `It is needed before anything is evaluated: write ${what}.`,
      {
        range: attribute.expression,
      },
    ),
  );
