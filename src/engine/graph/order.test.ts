import fc from "fast-check";
import { expect, test } from "vitest";
import { dependencyOrder, transitive } from "./order.ts";

const graph = (edges: Record<string, string[]>) => new Map(Object.entries(edges));

test("dependencies come first, and what does not depend keeps its order", () => {
  const { names, cycle } = dependencyOrder(graph({ c: ["b"], x: [], b: ["a", "missing"], a: [] }));
  expect(names).toEqual(["a", "b", "c", "x"]);
  expect(cycle).toBeUndefined();
});

test("a cycle is named, without what only leads to it", () => {
  const { names, cycle } = dependencyOrder(graph({ z: ["a"], a: ["b"], b: ["c"], c: ["a"] }));
  expect(cycle).toEqual(["a", "b", "c"]);
  expect([...names].sort()).toEqual(["a", "b", "c", "z"]);
});

test("one that depends on itself is a cycle", () => {
  expect(dependencyOrder(graph({ a: ["a"] })).cycle).toEqual(["a"]);
});

test("everything before it", () => {
  const chain = graph({ a: [], b: ["a"], c: ["b"] });
  expect([...transitive(chain).get("c")!].sort()).toEqual(["a", "b"]);
});

test("a chain of a hundred thousand is no deeper than the stack", () => {
  const chain = new Map(Array.from({ length: 100_000 }, (_, i) => [`${i}`, i === 0 ? [] : [`${i - 1}`]]));
  const upsideDown = new Map([...chain].reverse());
  expect(dependencyOrder(upsideDown).names[0]).toBe("0");
});

test("in any graph without cycles every name comes after what it depends on", () => {
  const acyclic = fc
    .integer({ min: 1, max: 20 })
    .chain((size) =>
      fc.tuple(
        ...Array.from({ length: size }, (_, i) =>
          fc.subarray(Array.from({ length: i }, (_, j) => `n${j}`)).map((list) => [`n${i}`, list] as const),
        ),
      ),
    );
  fc.assert(
    fc.property(acyclic, fc.infiniteStream(fc.nat()), (edges, random) => {
      const shuffled = new Map([...edges].sort(() => ((random.next().value as number) % 3) - 1));
      const { names, cycle } = dependencyOrder(shuffled);
      expect(cycle).toBeUndefined();
      expect(names).toHaveLength(edges.length);
      for (const [name, list] of edges) {
        for (const dependency of list) expect(names.indexOf(dependency)).toBeLessThan(names.indexOf(name));
      }
    }),
  );
});
