/**
 * @module Cycles among circuits.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression } from "../../hcl/tree.ts";
import type { CircuitDeclaration } from "../declare/declaration.ts";
import { referencePath } from "../declare/reference-list.ts";

/** Reports each reference that closes a cycle. @returns the circuits without these references */
export function withoutCycles(
  circuits: ReadonlyMap<string, CircuitDeclaration>,
  report: Report,
): ReadonlyMap<string, CircuitDeclaration> {
  const closing = new Set<Expression>();
  const done = new Set<string>();
  const visit = (circuit: CircuitDeclaration, trail: readonly string[]): void => {
    const path = [...trail, circuit.name];
    for (const item of waits(circuit)) {
      const [root, name] = referencePath(item)!;
      const other = root === "circuit" && name !== undefined ? circuits.get(name) : undefined;
      if (other === undefined) continue;
      const at = path.indexOf(other.name);
      if (at !== -1) {
        closing.add(item);
        reportCycle([...path.slice(at), other.name], item, report);
      } else if (!done.has(other.name)) visit(other, path);
    }
    done.add(circuit.name);
  };
  for (const circuit of circuits.values()) if (!done.has(circuit.name)) visit(circuit, []);
  const open = (items: readonly Expression[]) => items.filter((item) => !closing.has(item));
  return new Map(
    [...circuits].map(([name, circuit]) => [
      name,
      {
        ...circuit,
        dependsOn: open(circuit.dependsOn),
        steps: circuit.steps.map((step) => ({ ...step, dependsOn: open(step.dependsOn) })),
      },
    ]),
  );
}

/** Every `depends_on` in the circuit, those of its steps included. */
const waits = (circuit: CircuitDeclaration): readonly Expression[] => [
  ...circuit.dependsOn,
  ...circuit.steps.flatMap((step) => step.dependsOn),
];

function reportCycle(names: readonly string[], range: Expression, report: Report): void {
  const detail =
    names.length === 2
      ? `Circuit "${names[0]}" cannot wait for itself.`
      : `They wait for each other: ${names.join(" → ")}. Remove one of these dependencies.`;
  report(errorDiagnostic("Circuits depend on each other in a circle", detail, { range }));
}
