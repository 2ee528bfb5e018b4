/**
 * @module What a person should know about logins, as warnings.
 */

import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { LoginWarning } from "../../ssh/index.ts";

/** @returns for `createSessionPool` */
export function sshWarnings(report: (diagnostics: readonly Diagnostic[]) => void): {
  readonly warn: (warning: LoginWarning) => void;
} {
  return { warn: ({ about, text }) => report([warningDiagnostic(summaries[about], text)]) };
}

const summaries: Readonly<Record<LoginWarning["about"], string>> = {
  ssh_config: "Setting of ssh_config is not honoured",
  algorithms: "Weak algorithms are allowed",
};
