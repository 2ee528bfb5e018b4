/**
 * @module Reports lists and other values where a map or set is needed: the elements of a list have no names.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression } from "../../hcl/tree.ts";
import type { CircuitDeclaration } from "../declare/declaration.ts";
import { isCertainString } from "../hosts/literal.ts";
import { answersOfLocals } from "../hosts/local-answers.ts";
import type { NamedValues } from "../hosts/shapes.ts";
import { literalKind } from "./literal-values.ts";

/** Functions whose result is always a list. */
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

/** Functions whose result is always a set. */
const setFunctions: readonly string[] = ["setintersection", "setsubtract", "setunion", "toset"];

/** Reports hosts that are certainly not a map, and `for_each` of steps that is certainly neither a map nor a set. */
export function checkNoLists(
  { hosts, steps }: CircuitDeclaration,
  values: NamedValues,
  report: Report,
): void {
  if (hosts !== undefined) checkHosts(hosts, values, report);
  for (const { forEach } of steps) if (forEach !== undefined) checkForEach(forEach, values, report);
}

function checkHosts(hosts: Expression, values: NamedValues, report: Report): void {
  const collection = collectionOf(hosts, values);
  const kind = scalarKind(hosts);
  if (collection !== undefined) {
    const advice =
      'Each host has a name: hosts = { web1 = "10.0.1.5" }, or { for address in [ … ] : address => address }.';
    report(errorDiagnostic(`"hosts" is a ${collection}`, advice, { range: hosts }));
  } else if (kind !== undefined) {
    const advice = 'It has names and addresses: hosts = { web1 = "10.0.1.5" }.';
    report(errorDiagnostic('"hosts" is not a map', advice, { range: hosts }));
  }
}

function checkForEach(forEach: Expression, values: NamedValues, report: Report): void {
  const takes = "It takes a map or a set of strings, whose keys name the instances.";
  const fail = (summary: string, detail: string, range: Expression): void =>
    report(errorDiagnostic(summary, detail, { range }));
  const kind = scalarKind(forEach);
  if (kind !== undefined) fail(`"for_each" is ${kind}`, takes, forEach);
  else if (collectionOf(forEach, values) === "list") {
    fail('"for_each" is a list', `${takes} Write toset(…) around it.`, forEach);
  }
  for (const item of setItems(forEach)) {
    const wrong = literalKind(item);
    if (wrong === "null" || wrong === "a list" || wrong === "an object") {
      fail('"for_each" has a key that is not a string', `It is ${wrong}. ${takes}`, item);
    }
  }
}

/** Names a value that is surely neither a list nor an object: `null`, `a string`. */
function scalarKind(expression: Expression): string | undefined {
  if (isCertainString(expression)) return "a string";
  const kind = literalKind(expression);
  return kind === "a list" || kind === "an object" ? undefined : kind;
}

/** The elements of `toset([…])` that are written out. */
function setItems(expression: Expression): readonly Expression[] {
  if (expression.kind === "parentheses") return setItems(expression.inner);
  if (expression.kind !== "call" || expression.name !== "toset") return [];
  const [list] = expression.args;
  return list?.kind === "tuple" ? list.items : [];
}

type Collection = "list" | "set";

/** The form that the value certainly has; undefined when that is not certain. */
function collectionOf(expression: Expression, { variables, locals }: NamedValues): Collection | undefined {
  const names: Names = {
    variables,
    ofLocal: answersOfLocals(locals, (local) => collectionIn(local, names), undefined),
  };
  return collectionIn(expression, names);
}

interface Names extends Pick<NamedValues, "variables"> {
  ofLocal(name: string): Collection | undefined;
}

function collectionIn(expression: Expression, names: Names): Collection | undefined {
  switch (expression.kind) {
    case "parentheses":
      return collectionIn(expression.inner, names);
    case "tuple":
    case "splat":
      return "list";
    case "for":
      return expression.key === undefined ? "list" : undefined;
    case "call":
      if (setFunctions.includes(expression.name)) return "set";
      return listFunctions.includes(expression.name) ? "list" : undefined;
    case "conditional": {
      const then = collectionIn(expression.then, names);
      return collectionIn(expression.otherwise, names) === then ? then : undefined;
    }
    case "attributeAccess":
      return collectionNamed(expression.object, expression.name, names);
    default:
      return undefined;
  }
}

/** `var.NAME` by its type, or by its default where it has none; `local.NAME` by its value. */
function collectionNamed(root: Expression, name: string, names: Names): Collection | undefined {
  if (root.kind !== "variable") return undefined;
  if (root.name === "var") {
    const variable = names.variables.get(name);
    if (variable?.type !== undefined) return collectionOfType(variable.type);
    return variable?.default?.kind === "tuple" ? "list" : undefined;
  }
  return root.name === "local" ? names.ofLocal(name) : undefined;
}

function collectionOfType(type: Expression): Collection | undefined {
  if (type.kind !== "call") return undefined;
  if (type.name === "set") return "set";
  return type.name === "list" || type.name === "tuple" ? "list" : undefined;
}
