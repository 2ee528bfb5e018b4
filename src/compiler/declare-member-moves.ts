/**
 * @module `moved` blocks in a circuit: steps and handlers that had other names.
 */
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Attribute, Block } from "../hcl/tree.ts";
import { readBody, suggestion } from "./body-reader.ts";
import type { CircuitDeclaration, MemberMove, MemberName } from "./declaration.ts";
import { referencePath } from "./reference-list.ts";
import type { Report } from "./report.ts";

/** @returns undefined for one that does not name two members of the same sort, which was reported */
export function declareMemberMove(block: Block, report: Report): MemberMove | undefined {
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
  const [from, to] = ["from", "to"].map((name) => memberName(attributes.get(name), report));
  if (from === undefined || to === undefined) return undefined;
  if (from.role === to.role) return { from, to, block };
  report(
    errorDiagnostic("A step cannot become a handler", "Both names must be of steps, or both of handlers.", {
      range: to.range,
    }),
  );
  return undefined;
}

function memberName(attribute: Attribute | undefined, report: Report): MemberName | undefined {
  if (attribute === undefined) return undefined;
  const range = attribute.expression;
  const [role, name, extra] = referencePath(range) ?? [];
  if ((role === "step" || role === "handler") && name !== undefined && extra === undefined) {
    return { role, name, range };
  }
  report(
    errorDiagnostic(
      `"${attribute.name}" does not name a step or handler`,
      "In a circuit it is step.NAME or handler.NAME. Other addresses go into a moved block outside of it.",
      { range },
    ),
  );
  return undefined;
}

/** Reports moves to what is not there and from what still is. @returns the others */
export function checkMoves(circuit: CircuitDeclaration, report: Report): readonly MemberMove[] {
  const names = {
    step: circuit.steps.map((step) => step.name),
    handler: circuit.handlers.map((handler) => handler.name),
  };
  return circuit.moves.filter(({ from, to }) => {
    const known = names[to.role];
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
    if (known.includes(from.name)) {
      report(
        errorDiagnostic(
          `${from.role === "step" ? "Step" : "Handler"} "${from.name}" is still there`,
          "What is moved from has the name no longer. Remove the block, or the one of the old name.",
          { range: from.range },
        ),
      );
      return false;
    }
    return true;
  });
}
