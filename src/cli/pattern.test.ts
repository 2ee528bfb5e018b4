import { expect, test } from "vitest";
import { matches } from "./pattern.ts";

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
