/**
 * @module Shows every diagnostic once, though it comes by several ways: as an event, with the plan, at the end.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatPath } from "../values/path.ts";
import type { Terminal } from "./terminal.ts";

export type Reporter = (diagnostics: readonly Diagnostic[]) => void;

export function createReporter(terminal: Terminal): Reporter {
  const shown = new Set<string>();
  return (diagnostics) => {
    const fresh = diagnostics.filter((diagnostic) => {
      const key = identity(diagnostic);
      return !shown.has(key) && shown.add(key);
    });
    terminal.report(fresh);
  };
}

const identity = ({ severity, summary, detail, address, host, attribute, range }: Diagnostic): string =>
  JSON.stringify([
    severity,
    summary,
    detail,
    address,
    host,
    formatPath(attribute ?? []),
    range?.file.name,
    range?.start,
  ]);
