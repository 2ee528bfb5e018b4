/**
 * @module Errors for an ephemeral value where it would be stored or would decide which instances there are: the same
 * locations as in OpenTofu and Terraform.
 */
import type { Configuration, Output } from "../../../compiler/index.ts";
import { type Diagnostic, errorDiagnostic } from "../../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../../diagnostics/source.ts";
import type { Value } from "../../../values/value.ts";

export const ephemeralRefused = (detail: string, range: SourceRange): Diagnostic =>
  errorDiagnostic("Ephemeral value not allowed", detail, { range });

/** Values of the root module's variables that a plan may hold. */
export const storedVariables = ({
  surroundings,
  configuration,
}: EphemeralSource): ReadonlyMap<string, Value> =>
  new Map(
    [...surroundings.variables].filter(([name]) => configuration.variables.get(name)?.ephemeral !== true),
  );

/** What knows values of variables, and which of these are never stored. */
interface EphemeralSource {
  readonly configuration: Pick<Configuration, "variables">;
  readonly surroundings: { readonly variables: ReadonlyMap<string, Value> };
}

/** @param remedy what to do about it */
export const ephemeralOutput = ({ name, expression }: Output, remedy: string): Diagnostic =>
  ephemeralRefused(`Output "${name}" is made of an ephemeral value. ${remedy}`, expression);
