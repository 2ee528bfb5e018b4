import { expect, test } from "vitest";
import { parseCommandLine } from "./command-line.ts";
import { commandSet } from "./commands.ts";
import { optionsOfPlanning } from "./saved-plan-options.ts";

function refused(embedded: boolean, ...args: readonly string[]): string | undefined {
  const parsed = parseCommandLine(["apply", ...args, "p"], commandSet);
  if (parsed.kind !== "command") throw new Error(JSON.stringify(parsed));
  return optionsOfPlanning(parsed.options, "p", embedded)?.summary;
}

test.each([
  ["-limit=web1"],
  ["-target=conn3x_file.web__a"],
  ["-circuit=web"],
  ["-step=a"],
  ["-replace=conn3x_file.web__a"],
  ["-var=a=b"],
  ["-var-file=f"],
  ["-destroy"],
  ["-refresh-only"],
  ["-refresh=false"],
])("%s says what is planned", (option) => {
  expect(refused(true, option)).toBe(`A saved plan takes no ${option.replace(/=(?!false).*/, "")}`);
});

test("all of them are named at once", () => {
  expect(refused(true, "-destroy", "-limit=a")).toBe("A saved plan takes no -limit, -destroy");
});

test("how it is applied may be said", () => {
  const options = [
    "-auto-approve",
    "-input=false",
    "-json",
    "-parallelism=2",
    "-lock-timeout=5m",
    "-lock=true",
  ];
  expect(refused(true, ...options, "-state=s", "-refresh=true", "-compact-warnings")).toBe(undefined);
});

test("another engine may want its variables again", () => {
  expect(refused(false, "-var=a=b")).toBe(undefined);
  expect(refused(false, "-limit=a")).toBe("A saved plan takes no -limit");
});
