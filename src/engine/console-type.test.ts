import { describe, expect, it } from "vitest";
import { parsed } from "../eval/testing.ts";
import { typeQuestion } from "./console-type.ts";

const asked = (text: string) => {
  const { asked: expression, depth, problems } = typeQuestion(parsed(text));
  const { file, start, end } = expression;
  return { text: file.text.slice(start, end), depth, problems: problems.map(({ summary }) => summary) };
};

// As OpenTofu 1.12's console has it.
describe("type in the console", () => {
  it.each<[string, string, number]>([
    ["1", "1", 0],
    ["type(1)", "1", 1],
    ["(type([1]))", "[1]", 1],
    [`"\${type(1)}"`, "1", 1],
    ["type(type(1))", "1", 2],
  ])("%s asks about %s", (text, about, depth) => {
    expect(asked(text)).toEqual({ text: about, depth, problems: [] });
  });

  it.each([
    ['[type("a")]'],
    ["{ a = type(1) }"],
    ['type(1) == "number"'],
    ["upper(type(1))"],
    ["type([type(1)])"],
  ])("%s is refused", (text) => expect(asked(text).problems).toEqual(["Invalid use of type function"]));

  it.each([["type()"], ["type(1, 2)"]])("%s has another number of arguments", (text) =>
    expect(asked(text).problems).toEqual(["The function type takes one argument"]),
  );
});
