/**
 * @module For tests of diagnostics: a table of configurations with a marked location and the expected diagnostic.
 */
import { describe, expect, it } from "vitest";
import { diagnose } from "./marked.ts";

export interface ErrorCase {
  /** The configuration, with the location of the diagnostic in «…». */
  readonly text: string;
  readonly summary: string;
  /** The part of the detail that makes it helpful. */
  readonly detail: string;
  readonly severity?: "warning";
}

/** Each case gives exactly this diagnostic, at this location. */
export function testErrors(title: string, cases: Readonly<Record<string, ErrorCase>>): void {
  describe(title, () => {
    for (const [name, { text, summary, detail, severity }] of Object.entries(cases)) {
      it(name, () => {
        const { diagnostics, expected } = diagnose(text);
        expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([summary]);
        const [found] = diagnostics;
        expect(found!.severity).toBe(severity ?? "error");
        expect(found!.detail).toContain(detail);
        expect({ start: found!.range!.start, end: found!.range!.end }).toEqual(expected);
      });
    }
  });
}
