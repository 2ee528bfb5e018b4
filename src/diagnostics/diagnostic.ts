/**
 * @module What is wrong, where, and what to do: the one form in which every layer reports it.
 */
import type { Path } from "../values/path.ts";
import type { SourceRange } from "./source.ts";

export type Severity = "error" | "warning";

export interface Diagnostic {
  readonly severity: Severity;
  /** One line without a final full stop: what happened. */
  readonly summary: string;
  /** Whole sentences: why, and what to do. May have several lines. Never holds a sensitive value. */
  readonly detail: string;
  /**
   * The detail without values of the configuration, where it has some: for who cannot tell whether they are sensitive.
   */
  readonly withoutValues?: string;
  /** Where in the configuration. */
  readonly range?: SourceRange;
  /** Which attribute of the resource, for a diagnostic that a resource kind gave. */
  readonly attribute?: Path;
  /** Which resource instance: `conn3x_file.web__config["web1"]`. */
  readonly address?: string;
  /** Which host, by its name in the circuit. */
  readonly host?: string;
  /** What was thrown, of a defect: for a trace, and in no message. */
  readonly cause?: unknown;
}

export type DiagnosticPlace = Pick<Diagnostic, "range" | "attribute" | "address" | "host">;

export const errorDiagnostic = (
  summary: string,
  detail: string,
  place: DiagnosticPlace = {},
): Diagnostic => ({
  severity: "error",
  summary,
  detail,
  ...place,
});

export const warningDiagnostic = (
  summary: string,
  detail: string,
  place: DiagnosticPlace = {},
): Diagnostic => ({
  severity: "warning",
  summary,
  detail,
  ...place,
});

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((diagnostic) => diagnostic.severity === "error");
