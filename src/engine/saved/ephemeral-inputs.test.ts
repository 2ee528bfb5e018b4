import { expect, test } from "vitest";
import { compileFiles } from "../../compiler/testing/compile-files.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { kinds } from "../../resources/index.ts";
import { inputsAgain, inputsToShow, storedInputs } from "./ephemeral-inputs.ts";

const text = `
variable "plain" {}
variable "secret" {
  ephemeral = true
}
variable "other" {
  default   = "usual"
  ephemeral = true
}
`;
const declared = compileFiles([new SourceFile("main.tf", text)], { kinds, directory: "." });
const input = (name: string, value: string) => ({ name, text: value, source: "-var" });

const planned = storedInputs([input("plain", "a"), input("secret", "b"), input("secret", "c")], declared);

test("what is ephemeral is stored by its name alone", () => {
  expect(planned).toEqual({ variables: [input("plain", "a")], ephemeral: ["secret"] });
});

test("it is wanted again, and nothing else counts", () => {
  const given = [input("plain", "other"), input("secret", "d")];
  expect(inputsAgain(planned, given, declared)).toEqual({
    inputs: [input("plain", "a"), input("secret", "d")],
    problems: [],
  });
  const summaries = (inputs: Parameters<typeof inputsAgain>[1]) =>
    inputsAgain(planned, inputs, declared).problems.map(({ summary }) => summary);
  expect(summaries([])).toEqual(['No value for variable "secret"']);
  expect(summaries([input("secret", "d"), input("other", "x")])).toEqual([
    'Variable "other" had its default when the plan was made',
  ]);
});

test("for showing the plan it is not known", () => {
  expect(inputsToShow(planned).map(({ name, form }) => [name, form])).toEqual([
    ["plain", undefined],
    ["secret", "broken"],
  ]);
});
