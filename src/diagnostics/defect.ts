/**
 * @module Diagnostics about defects: errors that no configuration should be able to cause.
 */
import { type Diagnostic, errorDiagnostic } from "./diagnostic.ts";
import { unexpectedLocation, unexpectedTrace } from "./unexpected-error.ts";

/**
 * @param error what was thrown; kept for whoever shows traces
 * @param during what was being done: `answering PlanResourceChange`
 */
export function defect(error: unknown, during?: string): Diagnostic {
  const where = during === undefined ? "" : ` while ${during}`;
  const detail = `This should not happen whatever is configured${where}: ${unexpectedLocation(error)}. Nothing more was done for this. Please report it with the trace, which CONN3X_TRACE=1 in the environment of conn3x shows, and TF_LOG_PROVIDER=error that of OpenTofu and Terraform.`;
  return { ...errorDiagnostic("Conn3x has a defect", detail), cause: error };
}

/** Where a defect happened, with all of the stack; undefined for other diagnostics. */
export const traceOf = ({ cause }: Diagnostic): string | undefined =>
  cause === undefined ? undefined : unexpectedTrace(cause);
