/**
 * @module `depends_on` of circuits and steps → addresses of resources.
 */

import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { suggestion } from "../../diagnostics/nearest.ts";
import { quoted } from "../../diagnostics/quoted.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Expression } from "../../hcl/tree.ts";
import type { CircuitDeclaration, StepDeclaration } from "../declare/declaration.ts";
import { referencePath } from "../declare/reference-list.ts";
import { resourceName } from "../names.ts";
import { mayHave } from "../source/gaps.ts";

/** How the summary of an error about an unknown circuit starts. */
export const unknownCircuit = "Unknown circuit ";

export type Circuits = ReadonlyMap<string, CircuitDeclaration>;

/**
 * Addresses that finish last in the circuit: its last handler, which waits for everything else, or
 * its last step; for a circuit with neither, what it depends on itself.
 */
function finalAddresses(circuit: CircuitDeclaration, circuits: Circuits): readonly string[] {
  const last = circuit.handlers.at(-1) ?? circuit.steps.at(-1);
  if (last !== undefined) return last.kind === undefined ? [] : [addressOf(circuit, last)];
  return circuitDependencies(circuit, circuits, () => undefined);
}

/** Addresses for the `depends_on` of a circuit. Circuits must not depend on each other in a cycle. */
export const circuitDependencies = (
  circuit: CircuitDeclaration,
  circuits: Circuits,
  report: Report,
): readonly string[] =>
  unique(circuit.dependsOn.flatMap((item) => dependency(item, circuits, new Map(), circuit, report)));

/** Addresses for the `depends_on` of a step. */
export const stepDependencies = (
  step: StepDeclaration,
  earlier: readonly StepDeclaration[],
  circuit: CircuitDeclaration,
  circuits: Circuits,
  report: Report,
): readonly string[] => {
  const steps = new Map(earlier.map((one) => [one.name, one]));
  return unique(step.dependsOn.flatMap((item) => dependency(item, circuits, steps, circuit, report)));
};

const addressOf = (circuit: CircuitDeclaration, member: CircuitDeclaration["handlers"][number]): string =>
  `${member.kind!.type}.${resourceName(circuit.name, member.name)}`;

function dependency(
  item: Expression,
  circuits: Circuits,
  steps: ReadonlyMap<string, StepDeclaration>,
  circuit: CircuitDeclaration,
  report: Report,
): readonly string[] {
  const [root, name] = referencePath(item)!;
  const fail = (summary: string, detail: string): readonly string[] => {
    report(errorDiagnostic(summary, detail, { range: item }));
    return [];
  };
  if (name === undefined || valuesOnly.includes(root!)) {
    return fail(
      `"${root}" is not something to depend on`,
      "Name what is to be waited for: circuit.base, aws_instance.web, module.network.",
    );
  }
  if (root === "circuit") {
    const other = circuits.get(name);
    return other === undefined
      ? fail(
          `${unknownCircuit}${quoted(name)}`,
          `There is no circuit of that name. ${suggestion(name, [...circuits.keys()])}`,
        )
      : finalAddresses(other, circuits);
  }
  if (root === "step") {
    const step = steps.get(name);
    if (step !== undefined) return step.kind === undefined ? [] : [addressOf(circuit, step)];
    const exists = circuit.steps.some((one) => one.name === name);
    if (!exists && mayHave(circuit, "step", name)) return [];
    return exists
      ? fail(`"step.${name}" cannot be waited for here`, "A step waits for earlier steps only.")
      : fail(
          `Unknown step "${name}"`,
          `Circuit "${circuit.name}" has no step of that name. ${suggestion(name, [...steps.keys()])}`,
        );
  }
  if (root === "handler") {
    return fail(
      "A handler cannot be waited for by a step",
      "Handlers run after all steps of their circuit. What must follow a handler goes into a second circuit that depends on this one.",
    );
  }
  return [outsideAddress(item)];
}

/** Names of values, which nothing has to wait for. */
const valuesOnly: readonly string[] = ["host", "each", "self", "count", "path", "terraform", "tofu"];

/** The elements of a `depends_on` that name resources and modules, by address. */
export const outsideItems = (items: readonly Expression[]): ReadonlyMap<string, Expression> =>
  new Map(
    items.flatMap((item): (readonly [string, Expression])[] => {
      const [root, name] = referencePath(item)!;
      const inside = name === undefined || [...valuesOnly, "circuit", "step", "handler"].includes(root!);
      return inside ? [] : [[outsideAddress(item), item]];
    }),
  );

/** `aws_instance.web`, `data.aws_ami.x`, `module.network`: without what follows. */
export function outsideAddress(item: Expression): string {
  const path = referencePath(item)!;
  return path.slice(0, path[0] === "data" || path[0] === "ephemeral" ? 3 : 2).join(".");
}

const unique = (addresses: readonly string[]): readonly string[] => [...new Set(addresses)];
