/**
 * @module Lists where a map or a set is wanted: a list's elements have no names.
 */
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Expression } from "../hcl/tree.ts";
import type { CircuitDeclaration } from "./declaration.ts";
import { isCertainString } from "./literal.ts";
import type { Report } from "./report.ts";
import type { NamedValues } from "./shapes.ts";

/** Functions that give a list whatever they are given. */
const listFunctions: readonly string[] = [
  "chunklist",
  "compact",
  "concat",
  "distinct",
  "flatten",
  "keys",
  "range",
  "reverse",
  "slice",
  "sort",
  "split",
  "tolist",
  "values",
];

/** Reports hosts, and the `for_each` of steps, that are lists for certain. OpenTofu refuses these as well. */
export function checkNoLists(
  { hosts, steps }: CircuitDeclaration,
  values: NamedValues,
  report: Report,
): void {
  const fail = (summary: string, detail: string, range: Expression): void =>
    report(errorDiagnostic(summary, detail, { range }));
  if (hosts !== undefined && isList(hosts, values)) {
    const advice =
      'Each host has a name: hosts = { web1 = "10.0.1.5" }, or { for address in [ … ] : address => address }.';
    fail('"hosts" is a list', advice, hosts);
  } else if (hosts !== undefined && (isCertainString(hosts) || hosts.kind === "number")) {
    fail('"hosts" is not a map', 'It has names and addresses: hosts = { web1 = "10.0.1.5" }.', hosts);
  }
  for (const { forEach } of steps) {
    if (forEach === undefined || !isList(forEach, values)) continue;
    const advice =
      "It takes a map or a set of strings, whose keys name the instances. Write toset(…) around it.";
    fail('"for_each" is a list', advice, forEach);
  }
}

const isList = (expression: Expression, values: NamedValues): boolean =>
  isListIn(expression, values, new Set());

function isListIn(expression: Expression, values: NamedValues, seen: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case "parentheses":
      return isListIn(expression.inner, values, seen);
    case "tuple":
    case "splat":
      return true;
    case "for":
      return expression.key === undefined;
    case "call":
      return listFunctions.includes(expression.name);
    case "conditional":
      return isListIn(expression.then, values, seen) && isListIn(expression.otherwise, values, seen);
    case "attributeAccess":
      return isListNamed(expression.object, expression.name, values, seen);
    default:
      return false;
  }
}

/** `var.NAME` by its type, `local.NAME` by its value. */
function isListNamed(
  root: Expression,
  name: string,
  values: NamedValues,
  seen: ReadonlySet<string>,
): boolean {
  if (root.kind !== "variable") return false;
  if (root.name === "var") {
    const type = values.variables.get(name)?.type;
    return type?.kind === "call" && (type.name === "list" || type.name === "tuple");
  }
  const local = root.name === "local" && !seen.has(name) ? values.locals.get(name) : undefined;
  return local !== undefined && isListIn(local, values, new Set([...seen, name]));
}
