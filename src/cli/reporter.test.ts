import { describe, expect, it } from "vitest";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../diagnostics/diagnostic.ts";
import { createReporter, foldWarnings } from "./reporter.ts";

const away = (host: string) => warningDiagnostic("Host does not answer", `${host} refused.`, { host });

describe("createReporter", () => {
  it("shows each diagnostic once, however it comes", () => {
    const shown: Diagnostic[] = [];
    const report = createReporter({ report: (diagnostics) => void shown.push(...diagnostics) });
    report([errorDiagnostic("E", "x", { host: "a" })]);
    report([errorDiagnostic("E", "x", { host: "a" }), errorDiagnostic("E", "x", { host: "b" })]);
    expect(shown.map(({ host }) => host)).toEqual(["a", "b"]);
  });
});

describe("foldWarnings", () => {
  it("says of many hosts at once what is the same", () => {
    expect(foldWarnings([away("a"), warningDiagnostic("Other", ""), away("b"), away("c")])).toEqual([
      { ...away("a"), detail: "a refused.\n\nThe same on 2 more hosts: b, c." },
      warningDiagnostic("Other", ""),
    ]);
  });

  it("counts hosts that are too many to name", () => {
    const [folded] = foldWarnings(Array.from({ length: 24 }, (_, i) => away(`h${i}`)));
    expect(folded?.detail).toMatch(/^h0 refused\.\n\nThe same on 23 more hosts: h1, .*, h20 and 3 more\.$/);
  });

  it("leaves errors apart, and a warning that a host has twice", () => {
    const errors = [errorDiagnostic("E", "", { host: "a" }), errorDiagnostic("E", "", { host: "b" })];
    expect(foldWarnings(errors)).toEqual(errors);
    expect(foldWarnings([away("a"), away("a")])).toEqual([away("a")]);
  });
});
