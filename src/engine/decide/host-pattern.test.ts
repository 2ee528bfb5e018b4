import { expect, test } from "vitest";
import { matches, patternAdvice, patternsIn, wrongLimit } from "./host-pattern.ts";

test.each([
  ["web*", "web1", true],
  ["web*", "web", true],
  ["web?", "web", false],
  ["web?", "web1", true],
  ["web", "web1", false],
  ["*.example.org", "a.example.org", true],
  ["*.example.org", "a-example.org", false],
  ["a+b", "aab", false],
])("%s and %s: %s", (pattern, name, expected) => {
  expect(matches(pattern, name)).toBe(expected);
});

test("several patterns of one option are separated by commas, with or without spaces", () => {
  expect(patternsIn(["web1, db*", "mail"])).toEqual(["web1", "db*", "mail"]);
});

test.each(["", " ", "web1,", ",web1", "web1,,db1"])("a limit of %j could pass for no limit", (text) => {
  expect(wrongLimit(text)).toContain("must name a host");
});

test("a limit of names and patterns is fine", () => {
  expect(wrongLimit("web1, db*")).toBe(undefined);
});

test.each([
  ["web[12]", true],
  ["!web1", true],
  ["web-1.example.org", false],
])("patterns of other programs, such as %s, get advice: %s", (pattern, expected) => {
  expect(patternAdvice(pattern) !== "").toBe(expected);
});
