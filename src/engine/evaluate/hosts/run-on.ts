/**
 * @module `run_on` by a name that shows when it is evaluated: whether the circuit has a host of that name.
 */
import { hostsLocalName } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic, hasErrors } from "../../../diagnostics/diagnostic.ts";
import { nearest } from "../../../diagnostics/nearest.ts";
import { quoted } from "../../../diagnostics/quoted.ts";
import { evaluate } from "../../../eval/evaluate.ts";
import type { Scope } from "../../../eval/scope.ts";
import { containsHidden } from "../../../values/marks.ts";
import { isEntries } from "../../../values/walk.ts";
import type { LoadedResource } from "../load.ts";
import { circuitNames } from "../resources/subject.ts";

/** @returns errors for what has no value, and for the name of a host that is not there; nothing for what is not known, and no name */
export function unknownRunOn(
  { resource }: Pick<LoadedResource, "resource">,
  scope: Scope,
): readonly Diagnostic[] {
  const { origin } = resource;
  if (origin?.runOn === undefined) return [];
  const { value, diagnostics } = evaluate(origin.runOn, scope);
  if (hasErrors(diagnostics)) return diagnostics;
  const [, circuit] = circuitNames(origin.circuit);
  const hosts = scope.resolve?.("local", [{ attribute: hostsLocalName(circuit) }]);
  if (typeof value.data !== "string" || hosts === undefined || !("value" in hosts)) return [];
  const { data } = hosts.value;
  if (!isEntries(data) || data.has(value.data)) return [];
  const isSecret = containsHidden(value);
  const near = isSecret ? undefined : nearest(value.data, data.keys());
  const advice = near === undefined ? "" : ` Did you mean ${quoted(near)}?`;
  return [
    errorDiagnostic(
      isSecret ? "Unknown host in run_on" : `Unknown host ${quoted(value.data)}`,
      `Circuit "${circuit}" has no host of that name${isSecret ? ", which is sensitive and not shown" : ""}.${advice} A host that is not in the circuit is written as { address = "10.0.1.9" }.`,
      { range: origin.runOn },
    ),
  ];
}
