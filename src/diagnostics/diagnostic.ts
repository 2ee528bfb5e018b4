/**
 * @module The form in which every layer reports problems: what is wrong, where, and what to do about it.
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
   * The detail without values of the configuration, if it has any: for callers that do not know which are sensitive.
   */
  readonly withoutValues?: string;
  /** Where in the configuration. */
  readonly range?: SourceRange;
  /** The attribute of the resource, for a diagnostic from a resource kind. */
  readonly attribute?: Path;
  /** Address of the resource instance: `conn3x_file.web__config["web1"]`. */
  readonly address?: string;
  /** Name of the host in its circuit. */
  readonly host?: string;
  /** The error behind a defect, for a trace. It is never part of a message. */
  readonly cause?: unknown;
}

export type DiagnosticLocation = Pick<Diagnostic, "range" | "attribute" | "address" | "host">;

export const errorDiagnostic = (
  summary: string,
  detail: string,
  location: DiagnosticLocation = {},
): Diagnostic => ({
  severity: "error",
  summary,
  detail,
  ...location,
});

export const warningDiagnostic = (
  summary: string,
  detail: string,
  location: DiagnosticLocation = {},
): Diagnostic => ({
  severity: "warning",
  summary,
  detail,
  ...location,
});

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((diagnostic) => diagnostic.severity === "error");
