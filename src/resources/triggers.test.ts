import { describe, expect, test } from "vitest";
import { Unknown } from "../values/value.ts";
import { sameTriggers } from "./triggers.ts";

describe("sameTriggers", () => {
  test.each([
    [["aa"], ["aa"], true],
    [["aa"], ["bb"], false],
    [["aa"], ["aa", "bb"], false],
    [["aa"], [new Unknown()], false],
    [new Unknown(), ["aa"], false],
    [["aa"], null, false],
    [[{ "web1/curl": "aa" }], [{ "web1/curl": "aa" }], true],
    [[{ "web1/curl": "aa" }], [{ "web1/curl": "bb" }], false],
    [[{ "web1/curl": "aa" }], [{ "web1/git": "aa" }], false],
    [[{ "web1/curl": "aa" }], [{ "web1/curl": "aa", "web1/git": "bb" }], false],
    [["aa", { "web1/a/b": "cc" }], ["aa", { "renamed/a/b": "cc" }], true],
  ])("%j and %j: %j", (before, after, same) => {
    expect(sameTriggers(before, after)).toBe(same);
  });
});
