/**
 * @module Tests of diagnostics as a table: a configuration with the place marked, and what is said about it.
 */
import { describe, expect, it } from "vitest";
import { diagnose } from "./marked.ts";

export interface ErrorCase {
  /** The configuration, with the place of the diagnostic in «…». */
  readonly text: string;
  readonly summary: string;
  /** Part of the detail: what makes it helpful. */
  readonly detail: string;
  readonly severity?: "warning";
}

/** Each case gives this one diagnostic, at this place. */
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
