/**
 * @module Diagnostics and paths on the wire.
 */
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { Path } from "../../src/values/path.ts";
import { type WireDiagnostic, type WirePath, wireSeverity } from "./messages.ts";

/**
 * Core adds the resource's address and the source range itself, so they are not sent. Values of the configuration are
 * not either: core knows which of them are sensitive, and shows the others beside the location.
 */
export function toWireDiagnostics(diagnostics: readonly Diagnostic[]): readonly WireDiagnostic[] {
  return diagnostics.map(({ severity, summary, detail, withoutValues, attribute }) => ({
    severity: wireSeverity[severity],
    summary,
    detail: withoutValues ?? detail,
    attribute: attribute === undefined || attribute.length === 0 ? undefined : toWirePath(attribute),
  }));
}

const nothing = { attributeName: undefined, elementKeyString: undefined, elementKeyInt: undefined };

export function toWirePath(path: Path): WirePath {
  return {
    steps: path.map((step) => {
      if ("attribute" in step) return { ...nothing, attributeName: step.attribute };
      if ("index" in step) return { ...nothing, elementKeyInt: step.index };
      return { ...nothing, elementKeyString: step.key };
    }),
  };
}
