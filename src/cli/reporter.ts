/**
 * @module Shows every diagnostic once, though it comes by several ways (as an event, with the plan, at the end), and
 * what many hosts have in common once for all of them.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatPath } from "../values/path.ts";
import type { Terminal } from "./terminal.ts";

export type Reporter = (diagnostics: readonly Diagnostic[]) => void;

/** More hosts than this are counted. */
const mostHosts = 20;

export function createReporter(terminal: Pick<Terminal, "report">): Reporter {
  const shown = new Set<string>();
  return (diagnostics) => {
    const fresh = diagnostics.filter((diagnostic) => {
      const key = identity(diagnostic);
      return !shown.has(key) && shown.add(key);
    });
    terminal.report(foldWarnings(fresh));
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

/**
 * Warnings about hosts with the same summary become the first of them, which names the other hosts. Errors stay: each
 * of them has to be dealt with.
 */
export function foldWarnings(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const { severity, summary, host, range } = diagnostic;
    const folds = severity === "warning" && host !== undefined && range === undefined;
    const key = folds ? summary : identity(diagnostic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  return [...groups.values()].map(folded);
}

function folded([first, ...others]: readonly Diagnostic[]): Diagnostic {
  const hosts = [...new Set(others.map(({ host }) => host))].filter((host) => host !== first!.host);
  if (hosts.length === 0) return first!;
  const named = hosts.slice(0, mostHosts).join(", ");
  const more = hosts.length > mostHosts ? ` and ${hosts.length - mostHosts} more` : "";
  const count = hosts.length === 1 ? "1 more host" : `${hosts.length} more hosts`;
  return { ...first!, detail: `${first!.detail}\n\nThe same on ${count}: ${named}${more}.` };
}
