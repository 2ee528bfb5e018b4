import { describe, expect, it } from "vitest";
import { formatPath } from "../values/path.ts";
import { references } from "./references.ts";
import { parsed } from "./testing.ts";

/** Each reference as root and steps, and the text of its range. */
function found(text: string): (readonly [string, string])[] {
  return references(parsed(text)).map(({ root, steps, range }) => [
    formatPath([{ attribute: root }, ...steps]),
    text.slice(range.start, range.end),
  ]);
}

describe("references", () => {
  it.each<[string, (readonly [string, string])[]]>([
    ["1 + 2", []],
    ["var.a", [["var.a", "var.a"]]],
    ['module.a["x"][0].b', [['module.a["x"][0].b', 'module.a["x"][0].b']]],
    [
      "conn3x_file.web[each.key].revision",
      [
        ["conn3x_file.web", "conn3x_file.web"],
        ["each.key", "each.key"],
      ],
    ],
    [
      'f(a.b, "${c.d}%{ if e }${g}%{ endif }")',
      [
        ["a.b", "a.b"],
        ["c.d", "c.d"],
        ["e", "e"],
        ["g", "g"],
      ],
    ],
    [
      "[for k, v in var.m : v.x + k + w if v.y]",
      [
        ["var.m", "var.m"],
        ["w", "w"],
      ],
    ],
    ["[for v in v : v]", [["v", "v"]]],
    [
      '"%{ for x in xs }${x}${y}%{ endfor }"',
      [
        ["xs", "xs"],
        ["y", "y"],
      ],
    ],
    [
      "{ a = b, (c) = d, e.f = 1 }",
      [
        ["b", "b"],
        ["c", "c"],
        ["d", "d"],
        ["e.f", "e.f"],
      ],
    ],
    [
      "data.x.y[*].z[a.b]",
      [
        ["data.x.y", "data.x.y"],
        ["a.b", "a.b"],
      ],
    ],
    [
      "(var.a).b ? -c : !d",
      [
        ["var.a", "var.a"],
        ["c", "c"],
        ["d", "d"],
      ],
    ],
    [
      "[a, b.0.c]",
      [
        ["a", "a"],
        ["b[0].c", "b.0.c"],
      ],
    ],
  ])("of %s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});
