/**
 * @module Collects what there is to say, each thing once: an expression that fails does so alike for every host.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { sameOn } from "../../diagnostics/same-on.ts";
import { formatPath } from "../../values/path.ts";
import { compareText } from "../../values/set-order.ts";

interface Found {
  /** On the first of the hosts by name: hosts answer in any order. */
  diagnostic: Diagnostic;
  readonly otherHosts: Set<string>;
}

/**
 * Two are the same when they say the same about the same location, on whatever hosts, or the same about the same host,
 * for whatever instances.
 */
export class Problems {
  readonly #found: Found[] = [];
  readonly #byPlace = new Map<string, Found>();
  readonly #byHost = new Map<string, Found>();
  #failed = false;

  /** All that was reported, in order, without repetitions. What is the same on several hosts says so. */
  get all(): readonly Diagnostic[] {
    return this.#found.map(({ diagnostic, otherHosts }) =>
      otherHosts.size === 0
        ? diagnostic
        : {
            ...diagnostic,
            detail: sameOn(diagnostic.detail, [...otherHosts].sort(compareText)),
          },
    );
  }

  /** Whether one of them is an error. */
  get failed(): boolean {
    return this.#failed;
  }

  /** @returns whether it is new */
  report(diagnostic: Diagnostic): boolean {
    this.#failed ||= diagnostic.severity === "error";
    const location = locationKey(diagnostic);
    const atLocation = this.#byPlace.get(location);
    if (atLocation !== undefined) {
      noteHost(atLocation, diagnostic);
      return false;
    }
    const aboutHost = hostKey(diagnostic);
    if (aboutHost !== undefined && this.#byHost.has(aboutHost)) return false;
    const found = { diagnostic, otherHosts: new Set<string>() };
    this.#found.push(found);
    this.#byPlace.set(location, found);
    if (aboutHost !== undefined) this.#byHost.set(aboutHost, found);
    return true;
  }

  /** @returns whether none of them is an error */
  reportAll(diagnostics: readonly Diagnostic[]): boolean {
    for (const diagnostic of diagnostics) this.report(diagnostic);
    return diagnostics.every(({ severity }) => severity !== "error");
  }
}

/** Another host that has the same. */
function noteHost(found: Found, diagnostic: Diagnostic): void {
  const { host } = found.diagnostic;
  if (diagnostic.host === undefined || diagnostic.host === host) return;
  if (host === undefined || compareText(host, diagnostic.host) < 0) {
    found.otherHosts.add(diagnostic.host);
    return;
  }
  found.otherHosts.delete(diagnostic.host);
  found.otherHosts.add(host);
  found.diagnostic = diagnostic;
}

/** Without a range the instance is the location. */
function locationKey({ severity, summary, detail, range, attribute, address, host }: Diagnostic): string {
  const location =
    range === undefined
      ? [address, host, attribute === undefined ? "" : formatPath(attribute)]
      : [range.file.name, range.start, range.end];
  return JSON.stringify([severity, summary, detail, ...location]);
}

/** Undefined for what is not about a host as a whole. */
const hostKey = ({ severity, summary, detail, attribute, host }: Diagnostic): string | undefined =>
  host === undefined || attribute !== undefined
    ? undefined
    : JSON.stringify([severity, summary, detail, host]);
