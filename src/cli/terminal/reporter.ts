/**
 * @module Shows every diagnostic once, though it comes from several sources (as an event, with the plan, at the end), and
 * what many hosts have in common once for all of them.
 */
import { isAboutWholeHost } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { sameOn } from "../../diagnostics/same-on.ts";
import { formatPath } from "../../values/path.ts";
import { compareText } from "../../values/set-order.ts";
import type { Terminal } from "./terminal.ts";

export type Reporter = (diagnostics: readonly Diagnostic[]) => void;

export interface ReporterOptions {
  /** Whether of warnings only that is shown what happened and where (`-compact-warnings`). Default false. */
  readonly compact?: boolean;
  /** Whether a host's problem is reported for each of its instances that fail of it, as programs want it. Default false. */
  readonly each?: boolean;
}

export function createReporter(
  terminal: Pick<Terminal, "report">,
  { compact = false, each = false }: ReporterOptions = {},
): Reporter {
  const shown = new Set<string>();
  return (diagnostics) => {
    const fresh = diagnostics.filter((diagnostic) => {
      const { address: _, ...ofHost } = diagnostic;
      const key = identity(!each && isOfHost(diagnostic) ? ofHost : diagnostic);
      return !shown.has(key) && shown.add(key);
    });
    terminal.report(foldWarnings(compact ? fresh.map(withoutDetail) : fresh));
  };
}

/** Whether it is about the host of an instance rather than about a setting: all that fail of it say the same. */
const isOfHost = ({ host, attribute, range }: Diagnostic): boolean =>
  host !== undefined && attribute === undefined && range === undefined;

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

/** What an error is about is never left out. */
function withoutDetail(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.severity === "error") return diagnostic;
  const { range: _, ...rest } = diagnostic;
  return { ...rest, detail: "" };
}

/**
 * Warnings that say of several hosts that each cannot be worked with, or the same about the same location, become that of
 * the first host by name, which names the others. Errors stay: each of them has to be dealt with.
 */
export function foldWarnings(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = sharedByHosts(diagnostic) ?? identity(diagnostic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  return [...groups.values()].map(folded);
}

/** What warnings of several hosts have in common that become one; undefined where each stands for itself. */
function sharedByHosts({ severity, summary, detail, host, range }: Diagnostic): string | undefined {
  if (severity !== "warning" || host === undefined) return undefined;
  if (isAboutWholeHost({ summary })) return summary;
  return JSON.stringify([summary, detail, range?.file.name, range?.start]);
}

/** What differs from the first of them has a line of its own: another cause needs another cure. */
function folded(group: readonly Diagnostic[]): Diagnostic {
  const sorted = [...group].sort((a, b) => compareText(a.host ?? "", b.host ?? ""));
  const first = sorted[0]!;
  const byHost = new Map(sorted.toReversed().map((one) => [one.host, one]));
  byHost.delete(first.host);
  const others = [...byHost.values()].toReversed();
  const isSame = (one: Diagnostic): boolean =>
    firstLine(one.detail) === firstLine(first.detail) || gist(one) === gist(first);
  const same = others.filter(isSame).map(({ host }) => String(host));
  const detail = same.length === 0 ? first.detail : sameOn(first.detail, same);
  const lines = others.filter((one) => !isSame(one)).map(inOneLine);
  if (lines.length === 0) return same.length === 0 ? first : { ...first, detail };
  return { ...first, detail: `${detail}\n\nOn other hosts:\n${lines.join("\n")}` };
}

const inOneLine = ({ host, detail }: Diagnostic): string => `    ${host}: ${firstLine(detail)}`;

const firstLine = (detail: string): string => detail.split("\n", 1)[0]!;

/** What it says, whichever host and address it is about. */
function gist({ host = "-", detail }: Diagnostic): string {
  const isAbout = (word: string): boolean =>
    address.test(word) || word === host || word.startsWith(`${host}.`) || word.startsWith(`${host}:`);
  return firstLine(detail)
    .split(" ")
    .map((word) => (isAbout(word) ? "…" : word))
    .join(" ");
}

/** IPv4, IPv6, a fingerprint, with what stands around it. */
const address = /\d{1,3}(?:\.\d{1,3}){3}|^\[?[\da-f]*:[\da-f]*:|^SHA256:/i;
