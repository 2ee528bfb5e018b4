import { expect, test } from "vitest";
import { errorDiagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { at } from "../../values/path.ts";
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
    detail: "It is not there.\n\nThe same on 4 more hosts: h2, h3, h4, h5.",
  });
});

test("hosts are named in order, whichever answered first", () => {
  const problems = new Problems();
  for (const host of ["h3", "h1", "h4", "h2"]) {
    problems.report(warningDiagnostic("No such package", "It is not there.", { range, host }));
  }
  expect(problems.all).toEqual([
    warningDiagnostic("No such package", "It is not there.\n\nThe same on 3 more hosts: h2, h3, h4.", {
      range,
      host: "h1",
    }),
  ]);
});

test("problems without a place in the configuration are told apart by host and address", () => {
  const problems = new Problems();
  for (const host of ["h1", "h2", "h1"]) problems.report(warningDiagnostic("Down", "It is down.", { host }));
  expect(problems.all.map(({ host }) => host)).toEqual(["h1", "h2"]);
  expect(problems.failed).toBe(false);
});

test("what is the matter with a host is said once, for whatever instances", () => {
  const problems = new Problems();
  for (const start of [0, 2, 4]) {
    for (const host of ["h1", "h2"]) {
      problems.report(
        warningDiagnostic("Down", `${host} is down.`, {
          range: { ...range, start },
          host,
          address: `x${start}`,
        }),
      );
    }
  }
  expect(problems.all.map(({ detail }) => detail)).toEqual(["h1 is down.", "h2 is down."]);
});

test("the same mistake in two places is said for both", () => {
  const problems = new Problems();
  for (const start of [0, 2]) {
    for (const host of ["h1", "h2"]) {
      problems.report(
        errorDiagnostic("Bad path", "Not absolute.", {
          range: { ...range, start },
          host,
          attribute: at("path"),
        }),
      );
    }
  }
  expect(problems.all.map(({ detail }) => detail)).toEqual([
    "Not absolute.\n\nThe same on 1 more host: h2.",
    "Not absolute.\n\nThe same on 1 more host: h2.",
  ]);
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
