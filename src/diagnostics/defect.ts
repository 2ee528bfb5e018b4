/**
 * @module Diagnostics about defects: errors that no configuration should be able to cause.
 */
import { type Diagnostic, errorDiagnostic } from "./diagnostic.ts";

/**
 * @param error what was thrown; kept for whoever shows traces
 * @param during what was being done: `answering PlanResourceChange`
 */
export function defect(error: unknown, during?: string): Diagnostic {
  const where = during === undefined ? "" : ` while ${during}`;
  const detail = `This should not happen whatever is configured${where}: ${messageOf(error)}. Nothing more was done for this. Please report it with the trace, which CONN3X_TRACE=1 in the environment of conn3x shows, and TF_LOG_PROVIDER=error that of OpenTofu and Terraform.`;
  return { ...errorDiagnostic("Conn3x has a defect", detail), cause: error };
}

/** The stack trace of a defect; undefined for other diagnostics. */
export function traceOf({ cause }: Diagnostic): string | undefined {
  if (cause === undefined) return undefined;
  return (cause instanceof Error ? cause.stack : undefined) ?? messageOf(cause);
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
