/**
 * @module The names of a login's settings, by what becomes of them.
 */
import { type Diagnostic, errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { suggestion } from "../diagnostics/nearest.ts";
import { notYet } from "../diagnostics/not-yet.ts";
import { quoted } from "../diagnostics/quoted.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { sshBlock } from "./schema.ts";

const sshSettings: readonly string[] = [...Object.keys(sshBlock.attributes), ...Object.keys(sshBlock.blocks)];

/**
 * The login settings of a circuit in the schema's order: `bastion`, which is written as blocks or as a
 * list, is the last. The address comes from `hosts`.
 */
export const sharedSshSettings: readonly string[] = sshSettings.filter(
  (name) => name !== "address" && name !== "login",
);

/** Names that the object of a host may have. */
export const hostSettings: readonly string[] = ["address", "vars", "groups", ...sharedSshSettings];

/** The login settings that must not be stored with a resource, except for secrets of bastions. */
export const secretSettings: readonly string[] = sharedSshSettings.filter(
  (name) => sshBlock.attributes[name]?.sensitive,
);

/** The login settings that may be stored. */
export const plainSettings: readonly string[] = sharedSshSettings.filter(
  (name) => !secretSettings.includes(name),
);

/** Names that a later version may have. Each is an error where it is written: to ignore it would not be what is asked for. */
export const laterSettings: readonly string[] = ["connect_wait"].filter(
  (name) => !sshSettings.includes(name),
);

/** What to do about a name that has a meaning elsewhere. */
export const adviceOf = (name: string): string | undefined =>
  name === "address"
    ? "The address of a host is given in the circuit's hosts."
    : name === "login"
      ? "The compiler sets it, where there are secrets."
      : undefined;

/**
 * Reports a name that is not among the allowed ones.
 *
 * @param of for messages: what has the settings
 */
export function checkSshSetting(
  name: string,
  range: SourceRange,
  allowed: readonly string[],
  of: string,
  report: Report,
): boolean {
  if (allowed.includes(name)) return true;
  report(
    laterSettings.includes(name)
      ? notYet(name, of, range)
      : unknownSetting(name, of, adviceOf(name) ?? suggestion(name, allowed), range),
  );
  return false;
}

/** @param of for messages: what has the settings */
export const unknownSetting = (name: string, of: string, advice: string, range: SourceRange): Diagnostic =>
  errorDiagnostic(`Unknown setting ${quoted(name)}`, `There is no setting of that name in ${of}. ${advice}`, {
    range,
  });
