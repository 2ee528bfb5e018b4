import { expect, test } from "vitest";
import { unexpectedText } from "./unexpected.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

const said = (error: unknown) => [false, true].map((isTraced) => unexpectedText(error, isTraced));

test("says what it was and where, and how to get more", () => {
  const [line, trace] = said(thrownBy(() => (undefined as unknown as string[]).length));
  expect(line).toMatch(
    /^\nError: this is a defect of Conn3x: TypeError at .*unexpected\.test\.ts:\d+:\d+\)?\nRun the same with CONN3X_TRACE=1 /,
  );
  expect(trace!.match(/^ +at /gm)!.length).toBeGreaterThan(1);
});

test.each([
  ["text that is no JSON", () => JSON.parse("hunter2-word")],
  ["a value that Node refuses", () => new URL("http://hunter2:word@host:port")],
  [
    "a message that looks like a stack",
    () => {
      throw new Error("first\n    at hunter2 (word:1:1)");
    },
  ],
  ["something that is no error", () => "hunter2"],
])("quotes nothing of %s", (_, act) => {
  for (const text of said(thrownBy(act))) {
    expect(text).toContain("this is a defect of Conn3x");
    expect(text).not.toContain("hunter2");
  }
});
