import { expect, test } from "vitest";
import { errorDiagnostic } from "../../diagnostics/diagnostic.ts";
import { complaintErrors, complaintWords } from "./complaint.ts";

const otherwise = errorDiagnostic("tofu failed", "tofu state rm ended with status 1.");

test("a framed, coloured error becomes its summary and its detail", () => {
  const stderr =
    "\u001b[31m╷\u001b[0m\n\u001b[31m│\u001b[0m \u001b[1m\u001b[31mError: \u001b[0mInvalid target address\n│ \n│ No matching objects found.\n│ Use another.\n╵\n";
  expect(complaintErrors(stderr, otherwise)).toEqual([
    errorDiagnostic("Invalid target address", "No matching objects found.\nUse another."),
  ]);
});

test("each of several errors is one", () => {
  const stderr = "╷\n│ Error: One\n│ \n│ first\n╵\n╷\n│ Error: Two\n╵\n";
  expect(complaintErrors(stderr, otherwise)).toEqual([
    errorDiagnostic("One", "first"),
    errorDiagnostic("Two", ""),
  ]);
});

test("words of no form are the detail, and silence is said", () => {
  expect(complaintErrors("panic: no\n", otherwise)).toEqual([
    errorDiagnostic("tofu failed", "tofu state rm ended with status 1.\n\npanic: no"),
  ]);
  expect(complaintErrors("", otherwise)).toEqual([otherwise]);
});

test("a list of problems in a summary goes to the detail", () => {
  expect(complaintWords("cannot read it: 2 problems:\n\n- One: first\n- Two: second", "")).toEqual({
    summary: "cannot read it: 2 problems:",
    detail: "- One: first\n- Two: second",
  });
  expect(complaintWords("One\nmore", "And why.")).toEqual({ summary: "One", detail: "more\n\nAnd why." });
});

test("an option that our commands do not have is not advised", () => {
  const advice =
    'Resolve the issue above and try\nagain. For most commands, you can disable locking with the "-lock=false"\nflag, but this is not recommended.';
  const resolve = "Resolve the issue above and try\nagain.";
  expect(complaintWords("Locked", advice)).toEqual({ summary: "Locked", detail: resolve });
  expect(
    complaintErrors(`╷\n│ Error: Locked\n│ \n│ ${advice.replaceAll("\n", "\n│ ")}\n╵\n`, otherwise),
  ).toEqual([errorDiagnostic("Locked", resolve)]);
});
