/**
 * @module Reports hosts that are sensitive as a whole: a `for_each` shows its keys, so they cannot be used in one.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression } from "../../hcl/tree.ts";
import { answersOfLocals } from "../hosts/local-answers.ts";
import type { NamedValues } from "../hosts/shapes.ts";

/** @returns whether they are not sensitive, as far as the text shows; otherwise that was reported */
export function checkNotSensitive(hosts: Expression, values: NamedValues, report: Report): boolean {
  const names: Names = {
    variables: values.variables,
    isSensitiveLocal: answersOfLocals(values.locals, (local) => isSensitive(local, names), false),
  };
  if (!isSensitive(hosts, names)) return true;
  report(
    errorDiagnostic(
      "Hosts cannot be sensitive as a whole",
      "Their names are part of every address that is shown. What is in them may be sensitive, such as their passwords: mark just that, or use nonsensitive(…).",
      { range: hosts },
    ),
  );
  return false;
}

interface Names extends Pick<NamedValues, "variables"> {
  isSensitiveLocal(name: string): boolean;
}

/** Whether the value itself is certainly sensitive, and not only a part of it. */
function isSensitive(expression: Expression, names: Names): boolean {
  const look = (part: Expression): boolean => isSensitive(part, names);
  switch (expression.kind) {
    case "parentheses":
      return look(expression.inner);
    case "attributeAccess":
      return isSensitiveName(expression.object, expression.name, names) || look(expression.object);
    case "index":
      return look(expression.collection) || look(expression.key);
    case "conditional":
      return look(expression.condition) || (look(expression.then) && look(expression.otherwise));
    case "object":
      return expression.items.some(({ key }) => key.kind !== "variable" && look(key));
    case "for":
      return look(expression.collection);
    case "call":
      if (expression.name === "sensitive") return true;
      return expression.name !== "nonsensitive" && expression.args.some(look);
    default:
      return false;
  }
}

/** `var.NAME`, `local.NAME` */
function isSensitiveName(root: Expression, name: string, names: Names): boolean {
  if (root.kind !== "variable") return false;
  if (root.name === "var") return names.variables.get(name)?.sensitive ?? false;
  return root.name === "local" && names.isSensitiveLocal(name);
}
