import { describe, expect, it } from "vitest";
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { createReporter, foldWarnings, type ReporterOptions } from "./reporter.ts";

const away = (host: string) => warningDiagnostic("Host does not answer", `${host} refused.`, { host });

describe("createReporter", () => {
  it("shows each diagnostic once, however it comes", () => {
    const shown: Diagnostic[] = [];
    const report = createReporter({ report: (diagnostics) => void shown.push(...diagnostics) });
    report([errorDiagnostic("E", "x", { host: "a" })]);
    report([errorDiagnostic("E", "x", { host: "a" }), errorDiagnostic("E", "x", { host: "b" })]);
    expect(shown.map(({ host }) => host)).toEqual(["a", "b"]);
  });

  it("says once what several instances of a host fail of; to programs for each of them", () => {
    const lost = (address: string) =>
      errorDiagnostic("Host lost", "web1 is gone.", { address, host: "web1" });
    const all = [lost("a"), lost("b"), { ...lost("c"), attribute: [{ attribute: "path" }] }];
    const reportedOf = (options: ReporterOptions): readonly unknown[] => {
      const shown: Diagnostic[] = [];
      createReporter({ report: (diagnostics) => void shown.push(...diagnostics) }, options)(all);
      return shown.map(({ address }) => address);
    };
    expect(reportedOf({})).toEqual(["a", "c"]);
    expect(reportedOf({ each: true })).toEqual(["a", "b", "c"]);
  });

  it("leaves out what warnings explain, and of errors nothing, when warnings are to be compact", () => {
    const shown: Diagnostic[] = [];
    const report = createReporter(
      { report: (diagnostics) => void shown.push(...diagnostics) },
      { compact: true },
    );
    const range = { file: new SourceFile("main.tf", "a = b"), start: 0, end: 5 };
    report([{ ...away("a"), range }, away("b"), errorDiagnostic("E", "x", { range })]);
    expect(shown).toEqual([
      { ...away("a"), detail: "The same on 1 more host: b." },
      errorDiagnostic("E", "x", { range }),
    ]);
  });
});

describe("foldWarnings", () => {
  it("tells of each other host what is the matter there", () => {
    const settings = (host: string, detail: string) =>
      warningDiagnostic("Login settings cannot be used", detail, { host });
    const [folded, ...more] = foldWarnings([
      settings("c", "192.0.2.3: ./ssh_config line 3: no such keyword.\nMore about it."),
      settings("b", "192.0.2.2: the key /k cannot be read.\nMore about it."),
      settings("a", "192.0.2.1: the key /k cannot be read.\nMore about it."),
      settings("d", "d.example.com: the key /k cannot be read.\nMore about it."),
      settings("e", "192.0.2.5: the key /other cannot be read.\nMore about it."),
    ]);
    expect(more).toEqual([]);
    expect(folded).toEqual(
      settings(
        "a",
        `192.0.2.1: the key /k cannot be read.
More about it.

The same on 2 more hosts: b, d.

On other hosts:
    c: 192.0.2.3: ./ssh_config line 3: no such keyword.
    e: 192.0.2.5: the key /other cannot be read.`,
      ),
    );
  });

  it("says of many hosts at once what is the same", () => {
    expect(foldWarnings([away("a"), warningDiagnostic("Other", ""), away("b"), away("c")])).toEqual([
      { ...away("a"), detail: "a refused.\n\nThe same on 2 more hosts: b, c." },
      warningDiagnostic("Other", ""),
    ]);
  });

  it("counts hosts that are too many to name", () => {
    const [folded] = foldWarnings(Array.from({ length: 24 }, (_, i) => away(`h${i + 10}`)));
    expect(folded?.detail).toMatch(/^h10 refused\.\n\nThe same on 23 more hosts: h11, .*, h30 and 3 more\.$/);
  });

  it("names hosts in order, whichever answered first, and wherever in the configuration they were met", () => {
    const file = new SourceFile("main.tf", "a = b\nc = d\n");
    const met = (host: string, start: number) => ({ ...away(host), range: { file, start, end: start + 1 } });
    expect(foldWarnings([met("c", 0), met("a", 6), met("b", 0)])).toEqual([
      { ...met("a", 6), detail: "a refused.\n\nThe same on 2 more hosts: b, c." },
    ]);
  });

  it("never says of a host what was found on another", () => {
    const unread = (host: string, path: string) =>
      warningDiagnostic("Cannot be read on the host", `${path} is below a file.`, { host });
    const warnings = [unread("a", "/x"), unread("b", "/y")];
    expect(foldWarnings(warnings)).toEqual(warnings);
    expect(foldWarnings([unread("a", "/x"), unread("b", "/x")])).toEqual([
      { ...unread("a", "/x"), detail: "/x is below a file.\n\nThe same on 1 more host: b." },
    ]);
  });

  it("leaves errors apart, and a warning that a host has twice", () => {
    const errors = [errorDiagnostic("E", "", { host: "a" }), errorDiagnostic("E", "", { host: "b" })];
    expect(foldWarnings(errors)).toEqual(errors);
    expect(foldWarnings([away("a"), away("a")])).toEqual([away("a")]);
  });
});
