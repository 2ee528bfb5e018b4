import { expect, test } from "vitest";
import { isLeft, isOfHost, matches, patternAdvice, patternsIn, wrongLimit } from "./host-pattern.ts";

test.each([
  ["web*", "web1", true],
  ["web*", "web", true],
  ["web?", "web", false],
  ["web?", "web1", true],
  ["web", "web1", false],
  ["*.example.org", "a.example.org", true],
  ["*.example.org", "a-example.org", false],
  ["a+b", "aab", false],
  ["web[1-3]", "web2", true],
  ["web[1-3]", "web4", false],
  ["web[!1-3]", "web4", true],
  ["web[13]", "web3", true],
  ["web[3-1]", "web2", false],
  ["web[]", "web[]", true],
  ["a[^b]c", "a^c", true],
])("%s and %s: %s", (pattern, name, expected) => {
  expect(matches(pattern, name)).toBe(expected);
});

test("several patterns of one option are separated by commas, with or without spaces", () => {
  expect(patternsIn(["web1, db*", "mail"])).toEqual(["web1", "db*", "mail"]);
});

test.each(["", " ", "web1,", ",web1", "web1,,db1", "!", "web1,& "])(
  "a limit of %j could pass for no limit",
  (text) => {
    expect(wrongLimit(text)).toContain("must name a host");
  },
);

test("a limit of names and patterns is fine", () => {
  expect(wrongLimit("web1, db*")).toBe(undefined);
});

test.each([
  ["{web1,web2}", true],
  ["web1:!web2", true],
  ["~web.*", true],
  ["!web1", false],
  ["web-1.example.org", false],
])("patterns of other programs, such as %s, get advice: %s", (pattern, expected) => {
  expect(patternAdvice(pattern) !== "").toBe(expected);
});

test.each([
  [[], "web1 web2 db1"],
  [["web*"], "web1 web2"],
  [["!web1"], "web2 db1"],
  [["web*", "!web1"], "web2"],
  [["!web1", "web*"], "web2"],
  [["*", "&web*", "&*1"], "web1"],
  [["web1", "db1"], "web1 db1"],
  [["!*"], ""],
])("%j leaves %j", (patterns, expected) => {
  expect(["web1", "web2", "db1"].filter((name) => isLeft(patterns, name)).join(" ")).toBe(expected);
});

test("what a pattern is about is found behind ! and & as well", () => {
  for (const pattern of ["web1", "!web1", "& web*"]) expect(isOfHost(pattern, "web1")).toBe(true);
  expect(isOfHost("!web2", "web1")).toBe(false);
});
