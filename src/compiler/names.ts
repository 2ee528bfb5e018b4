/**
 * @module Names: those of the resources that a circuit compiles to, and the rules for names that users choose.
 */

import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { quoted } from "../diagnostics/quoted.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { isIdentifier } from "../values/identifier.ts";

/** Name of the resource that a step or handler becomes: `web__config`. */
export const resourceName = (circuit: string, member: string): string => `${circuit}__${member}`;

/** Type of the resource behind `host.facts`: the compiler adds it, no step becomes one. */
export const factsType = "conn3x_facts";

/** Name of the local value with the hosts of a circuit. */
export const hostsLocalName = (circuit: string): string => `conn3x_${circuit}_hosts`;

/** Whether a local value's name is one that {@link hostsLocalName} gives. */
export const isHostsLocalName = (name: string): boolean => /^conn3x_.+_hosts$/.test(name);

/**
 * What is wrong with the name of a circuit, step or handler.
 *
 * `CIRCUIT__MEMBER` must be unambiguous to split: so no name contains a double underscore, and that of a circuit does not
 * end with one.
 */
export function nameProblem(
  role: "circuit" | "step" | "handler",
  name: string,
  range: SourceRange,
): Diagnostic | undefined {
  const problem = !isIdentifier(name)
    ? "A name starts with a letter or an underscore and goes on with letters, digits, underscores and dashes."
    : name.includes("__")
      ? "A double underscore separates the circuit from the step in the names of resources, so it cannot be in a name. " +
        `Use a single one: ${quoted(name.replace(/__+/g, "_"))}.`
      : role === "circuit" && name.endsWith("_")
        ? "A circuit's name cannot end with an underscore: two more follow it in the names of resources."
        : undefined;
  return problem === undefined
    ? undefined
    : errorDiagnostic(`${quoted(name)} cannot name a ${role}`, problem, { range });
}
