/** `moved` and `removed` blocks: what is stored gets another address, or is only forgotten. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Address, Configuration } from "../compiler/model.ts";
import { configurationOf } from "./testing/configuration.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const file = (name: string, more = "") =>
  `resource "test_file" "${name}" {\n${more}\npath = "/x"\ncontent = "x"\n}\n`;

function address(text: string): Address {
  const [, name, key] = /^(\w+)(?:\[(.*)\])?$/.exec(text)!;
  return { modules: [], resource: { type: "test_file", name: name!, key: key && JSON.parse(key) } };
}

/** @param moves pairs of names in `test_file` */
function moved(
  text: string,
  ...moves: readonly (readonly [string, string])[]
): { configuration: Configuration } {
  const configuration = configurationOf(text);
  const range = { file: configuration.files[0]!, start: 0, end: 0 };
  return {
    configuration: {
      ...configuration,
      moved: moves.map(([from, to]) => ({ from: address(from), to: address(to), range })),
    },
  };
}

describe("what moved, in a run about a part", () => {
  const before = file("a") + file("b").replaceAll("/x", "/y") + file("other").replaceAll("/x", "/z");
  const after = file("b") + file("c").replaceAll("/x", "/y") + file("other").replaceAll("/x", "/z");
  const moves = [
    ["b", "c"],
    ["a", "b"],
  ] as const;

  test("that names neither address stays where it is", async () => {
    await engine.apply(before);
    const target = { target: ["test_file.other"] };
    const plan = await engine.plan("", { ...moved(after, ...moves), ...target });
    expect(plan.changes.filter(({ movedFrom }) => movedFrom !== undefined)).toEqual([]);
    await engine.apply("", { ...moved(after, ...moves), ...target });
    expect(actionsOf(await engine.plan(before))).toEqual({
      "test_file.a": "none",
      "test_file.b": "none",
      "test_file.other": "none",
    });
  });

  test("goes with what is in its way", async () => {
    await engine.apply(before);
    await engine.apply("", { ...moved(after, ...moves), target: ["test_file.b"] });
    expect(actionsOf(await engine.plan(after))).toEqual({
      "test_file.b": "none",
      "test_file.c": "none",
      "test_file.other": "none",
    });
  });
});

describe("what moved", () => {
  test.each([
    ["to another name", file("a"), file("b"), [["a", "b"]], "test_file.b"],
    [
      "twice",
      file("a"),
      file("c"),
      [
        ["b", "c"],
        ["a", "b"],
      ],
      "test_file.c",
    ],
    ["to a key", file("a"), file("a", 'for_each = toset(["k"])'), [["a", 'a["k"]']], 'test_file.a["k"]'],
    [
      "to another key",
      file("a", 'for_each = toset(["j"])'),
      file("a", 'for_each = toset(["k"])'),
      [['a["j"]', 'a["k"]']],
      'test_file.a["k"]',
    ],
  ] as const)("%s stays as it is on its host", async (_, before, after, moves, now) => {
    await engine.apply(before);
    const plan = await engine.plan("", moved(after, ...moves));
    expect(actionsOf(plan)).toEqual({ [now]: "none" });
    expect(plan.changes[0]!.movedFrom).toMatch(/^test_file\.a/);
    await engine.apply("", moved(after, ...moves));
    expect(engine.hosts.log).toEqual([]);
    const again = await engine.plan("", moved(after, ...moves));
    expect(again.changes).toMatchObject([{ address: now }]);
    expect(again.changes[0]!.movedFrom).toBe(undefined);
  });

  test("a plan alone moves nothing in the state", async () => {
    await engine.apply(file("a"));
    await engine.plan("", moved(file("b"), ["a", "b"]));
    expect(engine.state().resources.map(({ name }) => name)).toEqual(["a"]);
  });

  test("to an address that is taken stays, with a warning", async () => {
    await engine.apply(`${file("a")}${file("b")}`);
    const { diagnostics } = await engine.plan("", moved(file("b"), ["a", "b"]));
    expect(diagnostics).toContainEqual(expect.objectContaining({ summary: "An instance cannot move" }));
  });
});

describe("what is still configured", () => {
  const each = (...keys: string[]) =>
    `resource "test_file" "a" {\n for_each = toset(${JSON.stringify(keys)})\n path = "/\${each.key}"\n content = "x"\n}\n`;

  test.each([
    ["a resource", file("a") + file("b").replaceAll("/x", "/y"), "a", "b", "test_file.a"],
    ["one that is to be new", file("a"), "a", "c", "test_file.a"],
    ["an instance", each("k", "l"), 'a["k"]', 'a["l"]', 'test_file.a["k"]'],
  ])("is not moved: %s", async (_, text, from, to, address) => {
    await engine.apply(text);
    engine.hosts.log.length = 0;
    const before = engine.state();
    expect(await engine.problems("", moved(text, [from, to]))).toContainEqual(
      expect.stringContaining(`What is moved is still configured: ${address} is still there, at `),
    );
    expect([engine.hosts.log, engine.state()]).toEqual([[], before]);
  });

  test.each([true, false])("is not removed, with destroy = %s", async (destroy) => {
    await engine.apply(file("a"));
    const { configuration } = moved(file("a"));
    const { range } = configuration.resources[0]!;
    const removed = [{ from: address("a"), destroy, range }];
    expect(await engine.problems("", { configuration: { ...configuration, removed } })).toEqual([
      expect.stringContaining("What is removed is still configured: test_file.a is still there, at "),
    ]);
  });

  test("is told once of a block that is about many", async () => {
    const text = file("a") + file("b").replaceAll("/x", "/y");
    const { configuration } = moved(text, ["a", "c"], ["b", "d"]);
    expect(configuration.moved[0]!.range).toBe(configuration.moved[1]!.range);
    expect(await engine.problems("", { configuration })).toEqual([
      expect.stringContaining("What is moved is still configured: test_file.a is still there"),
    ]);
  });

  test("may have the name that something else left; blocks that were followed may stay", async () => {
    await engine.apply(file("a") + file("b").replaceAll("/x", "/y"));
    const now = moved(file("b") + file("c").replaceAll("/x", "/y"), ["b", "c"], ["a", "b"]);
    expect(await engine.apply("", now)).toMatchObject({ created: 0, deleted: 0 });
    expect(actionsOf(await engine.plan("", now))).toEqual({ "test_file.b": "none", "test_file.c": "none" });
    const keyed = moved(each("k"), ["a", 'a["k"]']);
    expect(actionsOf(await engine.plan("", keyed))).toMatchObject({ 'test_file.a["k"]': "create create" });
  });
});

test.each([
  [false, { kept: 1, deleted: 0 }, true],
  [true, { kept: 0, deleted: 1 }, false],
])("removed, with destroy = %s", async (destroy, counts, isThere) => {
  await engine.apply(file("a"));
  const { configuration } = moved("");
  const { range } = configurationOf(file("a")).resources[0]!;
  const removed = [{ from: address("a"), destroy, range }];
  expect(await engine.apply("", { configuration: { ...configuration, removed } })).toMatchObject(counts);
  expect(engine.hosts.files.has("here:/x")).toBe(isThere);
  expect(engine.state().resources).toEqual([]);
});

test("of a host with another name: all keys that a step has there", async () => {
  const step = (host: string) => `resource "test_file" "web__a" {
  for_each = toset(["${host}/x", "${host}/y", "other/x"])
  path     = "/\${split("/", each.key)[1]}"
  content  = "x"
  ssh {
    address = startswith(each.key, "other") ? "h2" : "h1"
  }
}`;
  await engine.apply(step("old"));
  const { configuration } = moved(step("new"), ["web__a", "web__a"]);
  const hosts = { from: "old", to: "new" };
  const blocks = configuration.moved.map((block) => ({ ...block, hosts }));
  const renamed = { configuration: { ...configuration, moved: blocks } };
  const { changes } = await engine.plan("", renamed);
  expect(changes.map(({ key, decision, movedFrom }) => [key, decision.action, movedFrom])).toEqual([
    ["new/x", "none", 'test_file.web__a["old/x"]'],
    ["new/y", "none", 'test_file.web__a["old/y"]'],
    ["other/x", "none", undefined],
  ]);
  await engine.apply("", renamed);
  expect(engine.hosts.log).toEqual([]);
});
