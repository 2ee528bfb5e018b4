import { expect, test } from "vitest";
import { defect, traceOf } from "./defect.ts";
import { errorDiagnostic } from "./diagnostic.ts";

test("a defect is told in one line, and keeps where it happened", () => {
  const error = new TypeError("x is undefined");
  const diagnostic = defect(error, "answering PlanResourceChange");
  expect(diagnostic).toMatchObject({ severity: "error", summary: "Conn3x has a defect" });
  expect(diagnostic.detail).toMatch(
    /^This should not happen .* while answering PlanResourceChange: TypeError at .*defect\.test\.ts:\d+:\d+\)?\. /,
  );
  expect(diagnostic.detail).not.toContain("x is undefined");
  expect(traceOf(diagnostic)).toMatch(/^TypeError\n +at .*defect\.test\.ts/);
});

test("what is no error is told by its type, and what is no defect has no trace", () => {
  expect(traceOf(defect("odd"))).toBe("string");
  expect(traceOf(errorDiagnostic("Host cannot be reached", ""))).toBeUndefined();
});
