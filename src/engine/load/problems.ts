/**
 * @module Collects what there is to say, each thing once: an expression that fails fails the same way for every host.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { formatPath } from "../../values/path.ts";

/** How many hosts are named before the rest is counted. */
const namedHosts = 3;

export class Problems {
  readonly #found = new Map<string, { readonly diagnostic: Diagnostic; readonly otherHosts: Set<string> }>();
  #failed = false;

  /** All that was reported, in order, without repetitions. What is the same on several hosts says so. */
  get all(): readonly Diagnostic[] {
    return [...this.#found.values()].map(({ diagnostic, otherHosts }) =>
      otherHosts.size === 0
        ? diagnostic
        : { ...diagnostic, detail: `${diagnostic.detail}\nThe same on ${listed([...otherHosts])}.` },
    );
  }

  /** Whether one of them is an error. */
  get failed(): boolean {
    return this.#failed;
  }

  /** @returns whether it is new */
  report(diagnostic: Diagnostic): boolean {
    this.#failed ||= diagnostic.severity === "error";
    const key = identity(diagnostic);
    const known = this.#found.get(key);
    if (known === undefined) {
      this.#found.set(key, { diagnostic, otherHosts: new Set() });
      return true;
    }
    const { host } = diagnostic;
    if (host !== undefined && host !== known.diagnostic.host) known.otherHosts.add(host);
    return false;
  }

  /** @returns whether none of them is an error */
  reportAll(diagnostics: readonly Diagnostic[]): boolean {
    for (const diagnostic of diagnostics) this.report(diagnostic);
    return diagnostics.every(({ severity }) => severity !== "error");
  }
}

/** What makes two of them the same: with a range the instance does not count. */
function identity(diagnostic: Diagnostic): string {
  const { severity, summary, detail, range, attribute, address, host } = diagnostic;
  const place =
    range === undefined
      ? [address, host, attribute === undefined ? "" : formatPath(attribute)]
      : [range.file.name, range.start, range.end];
  return JSON.stringify([severity, summary, detail, ...place]);
}

function listed(hosts: readonly string[]): string {
  const rest = hosts.length - namedHosts;
  const named = hosts.slice(0, namedHosts).join(", ");
  if (rest <= 0) return named;
  return `${named} and ${rest} more ${rest === 1 ? "host" : "hosts"}`;
}
