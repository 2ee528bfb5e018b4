import fc from "fast-check";
import { expect, test } from "vitest";
import type { PathStep } from "../../values/path.ts";
import { readSensitivePaths, sensitivePathsText } from "./sensitive-paths.ts";

const marks = new Set(["sensitive"] as const);

test("paths are written as OpenTofu does, each once", () => {
  const path = [{ attribute: "input" }, { attribute: "deep" }, { key: "k" }, { index: 0 }];
  const text = sensitivePathsText([
    { path, marks },
    { path: [{ attribute: "a" }], marks },
    { path, marks },
  ]);
  expect(JSON.parse(text)).toEqual([
    [{ type: "get_attr", value: "a" }],
    [
      { type: "get_attr", value: "input" },
      { type: "get_attr", value: "deep" },
      { type: "index", value: { value: "k", type: "string" } },
      { type: "index", value: { value: 0, type: "number" } },
    ],
  ]);
});

test("other marks are not remembered", () => {
  expect(sensitivePathsText([{ path: [], marks: new Set(["ephemeral"] as const) }])).toBe("[]");
});

test("any path is read back", () => {
  const step: fc.Arbitrary<PathStep> = fc.oneof(
    fc.record({ attribute: fc.string() }),
    fc.record({ index: fc.nat() }),
    fc.record({ key: fc.string() }),
  );
  fc.assert(
    fc.property(fc.array(step), (path) => {
      const normal = path.map((one) => ("key" in one ? { key: one.key.normalize("NFC") } : one));
      expect(readSensitivePaths(sensitivePathsText([{ path, marks }]))).toEqual([{ path: normal, marks }]);
    }),
  );
});

test("what is not understood is passed over", () => {
  expect(readSensitivePaths('[[{"type":"new"}],"x",[{"type":"get_attr","value":"a"}]]')).toEqual([
    { path: [{ attribute: "a" }], marks },
  ]);
});
