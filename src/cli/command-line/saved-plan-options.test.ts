import { expect, test } from "vitest";
import { commandSet } from "../commands.ts";
import { parseCommandLine } from "./command-line.ts";
import { optionsOfPlanning, variablesOfPlanning } from "./saved-plan-options.ts";

const inputs = {
  variables: [{ name: "a", text: "old", source: "-var" }],
  ephemeral: ["secret"],
};

function refused(...args: readonly string[]): string | undefined {
  const parsed = parseCommandLine(["apply", ...args, "p"], commandSet);
  if (parsed.kind !== "command") throw new Error(JSON.stringify(parsed));
  const { options } = parsed;
  return (optionsOfPlanning(options, "p") ?? variablesOfPlanning(options, inputs, "p"))?.summary;
}

test.each([
  ["-limit=web1"],
  ["-target=conn3x_file.web__a"],
  ["-circuit=web"],
  ["-step=a"],
  ["-replace=conn3x_file.web__a"],
  ["-var=a=b"],
  ["-destroy"],
  ["-refresh-only"],
  ["-refresh=false"],
])("%s says what is planned", (option) => {
  expect(refused(option)).toBe(`A saved plan takes no ${option.replace(/=(?!false).*/, "")}`);
});

test("all of them are named at once", () => {
  expect(refused("-destroy", "-limit=a")).toBe("A saved plan takes no -limit, -destroy");
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
  expect(refused(...options, "-state=s", "-refresh=true", "-compact-warnings")).toBe(undefined);
});

test("what no plan has is given again, and the rest as it is in the plan", () => {
  expect(refused("-var=secret=b", "-var=a=old")).toBe(undefined);
  expect(refused("-var=secret=b", "-var=a=new")).toBe("A saved plan takes no -var");
});
