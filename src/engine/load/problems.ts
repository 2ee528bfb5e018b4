/**
 * @module Collects what there is to say, each thing once: an expression that fails fails the same way for every host.
 */
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { formatPath } from "../../values/path.ts";

export class Problems {
  readonly #seen = new Set<string>();
  readonly #all: Diagnostic[] = [];
  #failed = false;

  /** All that was reported, in order, without repetitions. */
  get all(): readonly Diagnostic[] {
    return this.#all;
  }

  /** Whether one of them is an error. */
  get failed(): boolean {
    return this.#failed;
  }

  /** @returns whether it is new */
  report(diagnostic: Diagnostic): boolean {
    this.#failed ||= diagnostic.severity === "error";
    const key = identity(diagnostic);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.#all.push(diagnostic);
    return true;
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
