/**
 * @module `moved` blocks in a circuit: renamed steps, handlers and hosts, or the circuit itself.
 */

import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Attribute, Block, Expression } from "../../hcl/tree.ts";
import { literalString } from "../hosts/literal.ts";
import { mayHave } from "../source/gaps.ts";
import { readBody } from "./body-reader.ts";
import type { CircuitDeclaration, CircuitMove, MemberMove, NameMove } from "./declaration.ts";
import { checkNoLabels, placeOf } from "./labels.ts";

/** What one side of a block names. */
interface Named {
  readonly what: "step" | "handler" | "host" | "circuit";
  readonly name: string;
  readonly range: Expression;
}

/** @returns undefined when the two sides are not of the same sort, which was reported */
export function declareCircuitMove(block: Block, report: Report): CircuitMove | undefined {
  checkNoLabels(block, report);
  const { attributes } = readBody(
    block.body,
    { where: "moved", attributes: ["from", "to"], blocks: [] },
    report,
  );
  for (const name of ["from", "to"]) {
    if (attributes.has(name)) continue;
    report(
      errorDiagnostic(`"moved" needs "${name}"`, `Add ${name} = step.NAME to it.`, { range: block.header }),
    );
  }
  const [from, to] = ["from", "to"].map((name) => namedBy(attributes.get(name), report));
  if (from === undefined || to === undefined) return undefined;
  if (from.what !== to.what) {
    report(
      errorDiagnostic(
        `A ${from.what} cannot become a ${to.what}`,
        "Both names must be of steps, of handlers, of hosts or of circuits.",
        { range: to.range },
      ),
    );
    return undefined;
  }
  const { what } = from;
  if (what === "host") return { of: "host", from: from.name, to: to.name, block };
  if (what === "circuit") {
    const ranges = { fromRange: from.range, toRange: to.range };
    return { of: "circuit", from: from.name, to: to.name, ...ranges, block };
  }
  const member = ({ name, range }: Named) => ({ role: what, name, range });
  return { of: "member", from: member(from), to: member(to), block };
}

function namedBy(attribute: Attribute | undefined, report: Report): Named | undefined {
  if (attribute === undefined) return undefined;
  const { expression } = attribute;
  const [root, name] = pathOf(expression) ?? [];
  if (name !== undefined && (root === "step" || root === "handler" || root === "host" || root === "circuit"))
    return { what: root, name, range: expression };
  report(
    errorDiagnostic(
      `"${attribute.name}" does not name what a circuit has`,
      "In a circuit it is step.NAME, handler.NAME, host.NAME or circuit.NAME. Other addresses go into a moved block outside of it.",
      { range: expression },
    ),
  );
  return undefined;
}

/** `step.config`, `host.web1`, `host["web1.example.com"]` */
function pathOf(expression: Expression): readonly [string, string] | undefined {
  if (expression.kind === "attributeAccess" && expression.object.kind === "variable")
    return [expression.object.name, expression.name];
  if (expression.kind !== "index" || expression.collection.kind !== "variable") return undefined;
  const key = literalString(expression.key);
  return key === undefined ? undefined : [expression.collection.name, key];
}

/** Reports moves to an unknown name, from a name that still exists, and from one name twice. @returns the others */
export function checkMoves(
  circuit: CircuitDeclaration,
  circuits: ReadonlyMap<string, CircuitDeclaration>,
  report: Report,
): readonly CircuitMove[] {
  const first = new Map<string, CircuitMove>();
  return circuit.moves.filter((move) => {
    const [from, to] = namesOf(move);
    const earlier = first.get(from);
    if (earlier !== undefined) {
      report(movedTwice(from, to, namesOf(earlier)[1], earlier.block, move.block));
      return false;
    }
    first.set(from, move);
    if (move.of === "host") return true;
    return move.of === "member"
      ? isMemberMove(move, circuit, report)
      : isNameMove(move, circuit, circuits, report);
  });
}

/** `host.web1`, `step.config` */
const namesOf = (move: CircuitMove): readonly [from: string, to: string] =>
  move.of === "member"
    ? [`${move.from.role}.${move.from.name}`, `${move.to.role}.${move.to.name}`]
    : [`${move.of}.${move.from}`, `${move.of}.${move.to}`];

function movedTwice(from: string, to: string, before: string, first: Block, second: Block): Diagnostic {
  const range = second.header;
  return to === before
    ? warningDiagnostic(`${from} is moved twice`, `${placeOf(first.header)} says the same. Once is enough.`, {
        range,
      })
    : errorDiagnostic(
        `${from} is moved to two places`,
        `At ${placeOf(first.header)} it becomes ${before}, here it becomes ${to}. It can become one of them only.`,
        { range },
      );
}

function isMemberMove({ from, to }: MemberMove, circuit: CircuitDeclaration, report: Report): boolean {
  const known = (to.role === "step" ? circuit.steps : circuit.handlers).map(({ name }) => name);
  if (!known.includes(to.name) && mayHave(circuit, to.role, to.name)) return false;
  if (!known.includes(to.name)) {
    report(
      errorDiagnostic(
        `Unknown ${to.role} "${to.name}"`,
        `Circuit "${circuit.name}" has no ${to.role} of that name. ${suggestion(to.name, known)}`,
        { range: to.range },
      ),
    );
    return false;
  }
  if (!known.includes(from.name)) return true;
  report(stillThere(from.role === "step" ? "Step" : "Handler", from.name, from.range));
  return false;
}

function isNameMove(
  { from, to, fromRange, toRange }: NameMove,
  circuit: CircuitDeclaration,
  circuits: ReadonlyMap<string, CircuitDeclaration>,
  report: Report,
): boolean {
  if (to !== circuit.name) {
    report(
      errorDiagnostic(
        `"${to}" is another circuit`,
        `The block stands in the circuit that had another name: to = circuit.${circuit.name}.`,
        { range: toRange },
      ),
    );
    return false;
  }
  if (!circuits.has(from)) return true;
  report(stillThere("Circuit", from, fromRange));
  return false;
}

const stillThere = (what: string, name: string, range: Named["range"] | NameMove["fromRange"]) =>
  errorDiagnostic(
    `${what} "${name}" is still there`,
    "What is moved from has the name no longer. Remove the block, or the one of the old name.",
    { range },
  );
