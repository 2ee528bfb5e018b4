import { describe, expect, test } from "vitest";
import { givenText } from "../compiler/hosts/given-text.ts";
import { evaluate } from "../eval/evaluate.ts";
import { scopeOf } from "../eval/scope.ts";
import { parsed } from "../eval/testing.ts";
import { withMark } from "../values/marks.ts";
import { dynamicType } from "../values/type.ts";
import { unknownValue } from "../values/value.ts";
import { checkHost } from "./check-host.ts";
import { type Given, givenValue } from "./given.ts";

const scope = scopeOf({ unknown: unknownValue(dynamicType) });

function found(given: Given) {
  const problems: (readonly [string, string | undefined])[] = [];
  const unusable = checkHost(given, ({ summary }, setting) => problems.push([summary, setting]));
  return { problems, unusable: [...unusable] };
}

const asText = (host: string) => found(givenText(parsed(host)));
const asValue = (host: string) => {
  const expression = parsed(host);
  return found(givenValue(evaluate(expression, scope).value, expression));
};

/** Host, what is wrong with which of its settings, and what cannot be used. */
const cases: readonly [string, readonly (readonly [string, string?])[], readonly string[]][] = [
  ['"10.0.0.1"', [], []],
  ["unknown", [], []],
  ["{ address = unknown, bastion = unknown }", [], []],
  ["null", [["This is not a host"]], ["address"]],
  ["5", [["This is not a host"]], ["address"]],
  ['["10.0.0.1"]', [["This is not a host"]], ["address"]],
  ['" "', [["This host has an empty address", "address"]], ["address"]],
  ["{}", [["This host has no address"]], ["address"]],
  ["{ address = 5 }", [["This is not an address", "address"]], ["address"]],
  ['{ addres = "x" }', [['Unknown setting "addres"', "addres"]], ["address"]],
  ['{ address = "x", usr = "u" }', [['Unknown setting "usr"', "usr"]], []],
  ['{ address = "x", name = "x" }', [['Unknown setting "name"', "name"]], []],
  [
    '{ address = "x", connect_wait = 5 }',
    [['"connect_wait" is not supported by this version', "connect_wait"]],
    [],
  ],
  ['{ address = "x", groups = ["web", "eu-1.a_b"] }', [], []],
  ['{ address = "x", groups = [] }', [], []],
  ['{ address = "x", groups = null }', [], []],
  ['{ address = "x", groups = unknown }', [], []],
  ['{ address = "x", groups = ["web", unknown] }', [], []],
  ['{ address = "x", groups = "web" }', [["This is not a list of groups", "groups"]], ["groups"]],
  ['{ address = "x", groups = { web = true } }', [["This is not a list of groups", "groups"]], ["groups"]],
  ['{ address = "x", groups = [5] }', [["This cannot name a group", "groups"]], ["groups"]],
  ['{ address = "x", groups = ["web", null] }', [["This cannot name a group", "groups"]], ["groups"]],
  ['{ address = "x", groups = ["a b"] }', [["This cannot name a group", "groups"]], ["groups"]],
  ['{ address = "x", groups = ["!web"] }', [["This cannot name a group", "groups"]], ["groups"]],
  ['{ address = "x", bastion = null, proxy_jump = "y" }', [], []],
  ['{ address = "x", bastion = "y" }', [[expect.stringMatching(/^"bastion" is /), "bastion"]], ["bastion"]],
  ['{ address = "x", bastion = ["y"] }', [["This is not a bastion", "bastion"]], ["bastion"]],
  [
    '{ address = "x", bastion = [{ user = "u" }] }',
    [["This bastion has no address", "bastion"]],
    ["bastion"],
  ],
  ['{ address = "x", bastion = [{ address = "y", usr = "u" }] }', [['Unknown setting "usr"', "bastion"]], []],
  [
    '{ address = "x", bastion = [{ address = "y" }], proxy_command = "z" }',
    [['"bastion" and "proxy_command" exclude each other', "bastion"]],
    ["bastion"],
  ],
  [
    '{ address = "x", proxy_jump = "y", proxy_command = "z" }',
    [['"proxy_command" and "proxy_jump" exclude each other', "proxy_command"]],
    ["proxy_command"],
  ],
];

describe.each(cases)("%s", (host, problems, unusable) => {
  const expected = { problems: problems.map(([summary, setting]) => [summary, setting]), unusable };
  test("as it is written", () => expect(asText(host)).toEqual(expected));
  test("as a value", () => expect(asValue(host)).toEqual(expected));
});

describe("what only a text or only a value can tell", () => {
  test.each([
    ["{ address = null }", "This is not an address", "This host has no address"],
    [
      '{ address = "x", bastion = [], proxy_jump = "y" }',
      '"bastion" and "proxy_jump" exclude each other',
      undefined,
    ],
    [
      '{ address = "x", bastion = unknown, proxy_jump = "y" }',
      '"bastion" and "proxy_jump" exclude each other',
      undefined,
    ],
    ['{ address = "x", proxy_jump = "y,z,y" }', 'The way leads through "y" twice', undefined],
  ])("%s", (host, text, value) => {
    expect(asText(host).problems.map(([summary]) => summary)).toEqual([text]);
    expect(asValue(host).problems.map(([summary]) => summary)).toEqual(value === undefined ? [] : [value]);
  });

  test("what is sensitive is looked at all the same", () => {
    const value = evaluate(parsed('{ address = "" }'), scope).value;
    expect(found(givenValue(withMark(value, "sensitive"), parsed("null"))).unusable).toEqual(["address"]);
  });
});
