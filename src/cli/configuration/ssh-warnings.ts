/**
 * @module What an `ssh_config` file says that is not honoured, as warnings.
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";

/** @returns for `createSessionPool` */
export function sshWarnings(report: (diagnostics: readonly Diagnostic[]) => void): {
  readonly warn: (warning: string) => void;
} {
  return {
    warn: (warning) => report([warningDiagnostic("Setting of ssh_config is not honoured", warning)]),
  };
}
