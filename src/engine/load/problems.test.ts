import { expect, test } from "vitest";
import { errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { Problems } from "./problems.ts";

const range = { file: new SourceFile("main.tf", "a = b"), start: 0, end: 5 };

test("the same problem of many hosts is said once, with their names", () => {
  const problems = new Problems();
  for (const host of ["h1", "h2", "h1", "h3", "h4", "h5"]) {
    problems.report(
      errorDiagnostic("No such package", "It is not there.", { range, host, address: `x["${host}"]` }),
    );
  }
  expect(problems.all).toHaveLength(1);
  expect(problems.all[0]).toMatchObject({
    host: "h1",
    detail: "It is not there.\nThe same on h2, h3, h4 and 1 more host.",
  });
});

test("problems without a place in the configuration are told apart by host and address", () => {
  const problems = new Problems();
  for (const host of ["h1", "h2", "h1"]) problems.report(warningDiagnostic("Down", "It is down.", { host }));
  expect(problems.all.map(({ host }) => host)).toEqual(["h1", "h2"]);
  expect(problems.failed).toBe(false);
});

test("another place, text or severity is another problem", () => {
  const problems = new Problems();
  problems.report(errorDiagnostic("A", "B", { range }));
  expect(problems.report(errorDiagnostic("A", "B", { range }))).toBe(false);
  expect(problems.report(errorDiagnostic("A", "B", { range: { ...range, end: 4 } }))).toBe(true);
  expect(problems.report(errorDiagnostic("A", "C", { range }))).toBe(true);
  expect(problems.report(warningDiagnostic("A", "B", { range }))).toBe(true);
  expect(problems.failed).toBe(true);
});
