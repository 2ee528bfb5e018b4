/**
 * Replacements: which half comes first, what stays when a run is cut off in between, and what triggers one. U2: create,
 * then what depends on it, then delete.
 */
import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lockPath } from "./state/lock.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const file = (name: string, path: string, more = ""): string =>
  `resource "test_file" "${name}" {\n  path = "${path}"\n  content = "x"\n${more}\n  ssh {\n    address = "h"\n  }\n}\n`;
const lifecycle = (text: string): string => `  lifecycle {\n    ${text}\n  }`;
const first = lifecycle("create_before_destroy = true");

/** Base, what is replaced, and what depends on that. */
const chain = (version: string, more = first): string =>
  `${file("base", `/base${version}`)}${file("a", `/a${version}`, `  depends_on = [test_file.base]\n${more}`)}` +
  `resource "test_file" "b" {\n  path = "/b"\n  content = test_file.a.path\n  ssh {\n    address = "h"\n  }\n}\n`;

const stored = (engine: TestEngine): readonly string[] =>
  engine
    .state()
    .resources.flatMap(({ name, instances }) =>
      instances.map((instance) =>
        [
          name,
          instance.attributes.path,
          instance.deposed === undefined ? "" : "deposed",
          instance.status ?? "",
        ]
          .filter((word) => word !== "")
          .join(" "),
      ),
    );

describe("create_before_destroy", () => {
  test("U2: creates, then does what depends on it, then deletes; what it depends on is replaced so, too", async () => {
    await engine.apply(chain("1"));
    const plan = await engine.plan(chain("2"));
    expect(
      plan.changes.map(({ address, decision: { action, createFirst } }) => [address, action, createFirst]),
    ).toEqual([
      ["test_file.base", "replace", true],
      ["test_file.a", "replace", true],
      ["test_file.b", "update", undefined],
    ]);
    expect(await engine.apply(chain("2"))).toMatchObject({ replaced: 2, updated: 1, deleted: 0, failed: [] });
    expect(engine.hosts.log).toEqual([
      "write h:/base2",
      "write h:/a2",
      "write h:/b",
      "remove h:/a1",
      "remove h:/base1",
    ]);
    expect(stored(engine)).toEqual(["a /a2", "b /b", "base /base2"]);
    const kept = engine
      .state()
      .resources.map(({ name, instances }) => [name, instances[0]!.create_before_destroy]);
    expect(kept).toEqual([
      ["a", true],
      ["b", undefined],
      ["base", true],
    ]);
  });

  test("U3: a plan knows what is updated or replaced because of a replacement, and nothing else", async () => {
    const more = (version: string) =>
      `resource "test_file" "c" {\n  path = "/c\${test_file.a.path}"\n  ssh {\n    address = "h"\n  }\n}\n${file("free", `/free${version}`)}`;
    await engine.apply(chain("1", "") + more("1"));
    const { changes } = await engine.plan(chain("2", "") + more("2"));
    const dependants = changes.map(({ address, decision: { action }, dependants = [] }) => [
      address,
      action,
      ...dependants,
    ]);
    expect(dependants.sort()).toEqual([
      ["test_file.a", "replace", "test_file.b", "test_file.c"],
      ["test_file.b", "update"],
      ["test_file.base", "replace"],
      ["test_file.c", "replace"],
      ["test_file.free", "replace"],
    ]);
    expect(
      (await engine.plan(chain("1", "") + more("2"))).changes.flatMap(({ dependants = [] }) => dependants),
    ).toEqual([]);
  });

  test("U2: without it the old object goes first", async () => {
    await engine.apply(chain("1", ""));
    await engine.apply(chain("2", ""));
    expect(engine.hosts.log.slice(0, 3)).toEqual(["remove h:/a1", "remove h:/base1", "write h:/base2"]);
  });

  test("that came or went is stored, as OpenTofu does, though nothing else changes", async () => {
    await engine.apply(chain("1", ""));
    await engine.apply(chain("1"));
    const flags = engine.state().resources.map(({ instances }) => instances[0]!.create_before_destroy);
    expect(flags).toEqual([true, undefined, true]);
    await engine.apply(chain("1", ""));
    expect(engine.state().resources.map(({ instances }) => instances[0]!.create_before_destroy)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("and so is what an unchanged instance comes after", async () => {
    const kept = file("kept", "/kept", "  depends_on = [test_file.a]");
    const of = () => engine.state().resources.find(({ name }) => name === "kept")?.instances[0]?.dependencies;
    await engine.apply(file("a", "/a") + kept);
    expect(of()).toEqual(["test_file.a"]);
    await engine.apply(file("b", "/b") + kept.replace("test_file.a", "test_file.b"));
    expect(of()).toEqual(["test_file.b"]);
  });

  test("what is written is not deleted afterwards: the warning names both", async () => {
    const text = file("a", "/a", first);
    await engine.apply(text);
    const plan = await engine.plan(text, { replace: ["test_file.a"] });
    expect(plan.changes[0]!.decision).toMatchObject({
      action: "replace",
      createFirst: true,
      keeps: "same_object",
    });
    expect(plan.diagnostics.map(({ detail }) => detail)).toEqual([
      "The old object of test_file.a and the new one of test_file.a are the same on the host: it is written, and not deleted afterwards.",
    ]);
    expect(await engine.apply(text, { replace: ["test_file.a"] })).toMatchObject({ replaced: 1, failed: [] });
    expect(engine.hosts.log).toEqual(["write h:/a"]);
    expect(engine.hosts.files.has("h:/a")).toBe(true);
    expect(stored(engine)).toEqual(["a /a"]);
  });

  test("a replacement that makes nothing leaves the old object as the instance", async () => {
    await engine.apply(chain("1"));
    engine.hosts.failing.set("h:/a2", "wholly");
    const { failed } = await engine.apply(chain("2"));
    expect(failed.map(({ address }) => address)).toEqual(["test_file.a"]);
    // What depends on it is not done, so what it depended on stays.
    expect(stored(engine)).toEqual(["a /a1", "b /b", "base /base2", "base /base1 deposed"]);
    engine.hosts.failing.clear();
    expect(actionsOf(await engine.plan(chain("2")))).toMatchObject({ "test_file.a": "replace identity" });
    await engine.apply(chain("2"));
    expect(engine.hosts.log).toEqual(["write h:/a2", "write h:/b", "remove h:/a1", "remove h:/base1"]);
    expect(stored(engine)).toEqual(["a /a2", "b /b", "base /base2"]);
  });

  test("a replacement that fails half-way leaves both, and the next run one new object", async () => {
    await engine.apply(chain("1"));
    engine.hosts.failing.set("h:/a2", "partly");
    await engine.apply(chain("2"));
    expect(stored(engine)).toEqual([
      "a /a2 tainted",
      "a /a1 deposed",
      "b /b",
      "base /base2",
      "base /base1 deposed",
    ]);
    engine.hosts.failing.clear();
    const plan = await engine.plan(chain("2"));
    expect(
      plan.changes
        .filter(({ deposed }) => deposed !== undefined)
        .map(({ address, decision }) => [address, decision.action, decision.reasons]),
    ).toEqual([
      ["test_file.a", "delete", [{ kind: "deposed" }]],
      ["test_file.base", "delete", [{ kind: "deposed" }]],
    ]);
    const { deleted, replaced } = await engine.apply(chain("2"));
    expect([deleted, replaced]).toEqual([2, 1]);
    // The tainted new object is the same on the host as what replaces it.
    expect(engine.hosts.log).toEqual(["write h:/a2", "write h:/b", "remove h:/a1", "remove h:/base1"]);
    expect(stored(engine)).toEqual(["a /a2", "b /b", "base /base2"]);
  });

  test("what is left of a replacement goes with its instance, and when that is not configured any more", async () => {
    for (const mode of ["destroy", "normal"] as const) {
      await engine.apply(chain("1"));
      engine.hosts.failing.set("h:/b", "wholly");
      await engine.apply(chain("2"));
      engine.hosts.failing.clear();
      await engine.apply(mode === "destroy" ? chain("2") : "", { mode });
      expect(new Set(engine.hosts.log)).toEqual(
        new Set(["h:/b", "h:/a1", "h:/a2", "h:/base1", "h:/base2"].map((path) => `remove ${path}`)),
      );
      expect(engine.state().resources).toEqual([]);
    }
  });

  test.each([
    ["beside its instance", "wholly", ["b /b", "base /base2", "c /a2"]],
    ["that is tainted", "partly", ["b /b", "base /base2", "c /a2"]],
  ] as const)("what is left moves with its address, as in OpenTofu: %s", async (_, failure, expected) => {
    await engine.apply(chain("1"));
    engine.hosts.failing.set(failure === "wholly" ? "h:/b" : "h:/a2", failure);
    await engine.apply(chain("2"));
    engine.hosts.failing.clear();
    expect(stored(engine)).toContain("a /a1 deposed");
    const renamed = chain("2").replaceAll("test_file.a.path", "test_file.c.path").replace('"a"', '"c"');
    const text = `${renamed}moved {\n  from = test_file.a\n  to = test_file.c\n}\n`;
    const plan = await engine.plan(text);
    const old = plan.changes.filter(({ deposed }) => deposed !== undefined).map(({ address }) => address);
    expect(old).toEqual(["test_file.c", "test_file.base"]);
    await engine.apply(text);
    expect(engine.hosts.log.filter((line) => line.startsWith("remove"))).toEqual([
      "remove h:/a1",
      "remove h:/base1",
    ]);
    expect(stored(engine).toSorted()).toEqual(expected);
  });

  test("what is left and gone from its host is forgotten", async () => {
    await engine.apply(chain("1"));
    engine.hosts.failing.set("h:/b", "wholly");
    await engine.apply(chain("2"));
    engine.hosts.failing.clear();
    engine.hosts.files.delete("h:/a1");
    expect(
      (await engine.plan(chain("2"))).changes.filter(({ deposed }) => deposed).map(({ address }) => address),
    ).toEqual(["test_file.base"]);
    await engine.apply(chain("2"));
    expect(stored(engine)).toEqual(["a /a2", "b /b", "base /base2"]);
  });

  test("killed at any moment, the next run leaves the new objects and no old one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(5), fc.boolean(), async (survives, isDone) => {
        const engine = testEngine();
        try {
          await engine.apply(chain("1"));
          const run = await engine.start(chain("2"));
          let calls = 0;
          await new Promise<void>((resolve) => {
            engine.hosts.beforeApply = (what) => {
              if (calls++ < survives) return undefined;
              // Done on the host, and nobody heard of it.
              if (isDone && what !== "h:/a1" && what !== "h:/base1") engine.hosts.files.set(what, "x");
              resolve();
              return new Promise(() => undefined);
            };
            void run.apply().then(() => resolve());
          });
          await new Promise((resolve) => setTimeout(resolve, 2));
          rmSync(lockPath(engine.statePath), { force: true });
          engine.hosts.beforeApply = () => undefined;
          expect((await engine.apply(chain("2"))).failed).toEqual([]);
          expect([...engine.hosts.files.keys()].sort()).toEqual(["h:/a2", "h:/b", "h:/base2"]);
          expect(stored(engine)).toEqual(["a /a2", "b /b", "base /base2"]);
          expect(new Set(Object.values(actionsOf(await engine.plan(chain("2")))))).toEqual(new Set(["none"]));
        } finally {
          engine.remove();
        }
      }),
      { numRuns: 20 },
    );
  });

  test("a handler of what is replaced runs before the old object goes", async () => {
    const text = (version: string) =>
      `${file("web__a", `/a${version}`, first)}resource "test_action" "web__run" {\n  name = "run"\n  triggers = [test_file.web__a.revision]\n  depends_on = [test_file.web__a]\n  ssh {\n    address = "h"\n  }\n}\n`;
    await engine.apply(text("1"));
    await engine.apply(text("2"));
    expect(engine.hosts.log).toEqual(["forget h:run", "write h:/a2", "run h:run", "remove h:/a1"]);
  });
});

describe("replace_triggered_by", () => {
  const text = (content: string, trigger: string, more = ""): string =>
    `resource "test_file" "t" {\n  for_each = { x = "/x", y = "/y" }\n  path = each.value\n  content = each.key == "x" ? "${content}" : "same"\n}\n` +
    `resource "test_file" "a" {\n  for_each = toset(["x", "y"])\n  path = "/a/\${each.key}"\n  content = "a"\n  lifecycle {\n    replace_triggered_by = [${trigger}]\n  }\n}\n${more}`;

  for (const [trigger, replaced] of [
    ["test_file.t", ["x", "y"]],
    ['test_file.t["x"]', ["x", "y"]],
    ["test_file.t[each.key]", ["x"]],
    ["test_file.t[each.key].content", ["x"]],
    ["test_file.t[each.key].path", []],
    ["test_file.t[each.key].revision", ["x"]],
    ['test_file.t["y"]', []],
  ] as const) {
    test(`${trigger} replaces ${replaced.length === 0 ? "nothing" : replaced.join(" and ")}`, async () => {
      await engine.apply(text("one", trigger));
      // Made together with it: nothing is replaced.
      expect(engine.hosts.log.filter((line) => line.startsWith("remove"))).toEqual([]);
      const plan = await engine.plan(text("two", trigger));
      const found = plan.changes.filter(({ address }) => address.startsWith("test_file.a"));
      expect(found.filter(({ decision }) => decision.action === "replace").map(({ key }) => key)).toEqual(
        replaced,
      );
      for (const { decision } of found.filter(({ decision }) => decision.action === "replace"))
        expect(decision.reasons).toEqual([
          { kind: "dependency_updated", dependencies: ['test_file.t["x"]'] },
        ]);
      await engine.apply(text("two", trigger));
      expect(new Set(Object.values(actionsOf(await engine.plan(text("two", trigger)))))).toEqual(
        new Set(["none"]),
      );
    });
  }

  test("a replaced one says so, and what it depends on comes first", async () => {
    await engine.apply(text("one", "test_file.t[each.key]"));
    const moved = text("one", "test_file.t[each.key]").replace("/x", "/z");
    const plan = await engine.plan(moved);
    expect(plan.changes.find(({ address }) => address === 'test_file.a["x"]')!.decision.reasons).toEqual([
      { kind: "dependency_replaced", dependencies: ['test_file.t["x"]'] },
    ]);
    await engine.apply(moved);
    expect(engine.hosts.log).toEqual([
      "remove here:/a/x",
      "remove here:/x",
      "write here:/z",
      "write here:/a/x",
    ]);
    expect(engine.state().resources[0]!.instances[0]!.dependencies).toEqual(["test_file.t"]);
  });

  for (const [trigger, said] of [
    ["var.x", "names something that cannot trigger: It names resources of this configuration"],
    ["test_file.none", "There is no resource test_file.none"],
    ['"test_file.t"', "names something that cannot trigger: It names resources of this configuration"],
    ['test_file.t["none"]', 'replace_triggered_by names test_file.t["none"], which is not in this plan'],
    ["test_file.t.content", "replace_triggered_by names test_file.t, which is not in this plan"],
  ] as const) {
    test(`${trigger} is refused`, async () => {
      const problems = await engine.problems(text("one", trigger));
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) expect(problem).toContain(said);
    });
  }
});

describe("ignore_changes", () => {
  const text = (content: string, names: string, path = "/a"): string =>
    file("a", path, lifecycle(`ignore_changes = ${names}`)).replace('"x"', `"${content}"`);

  test("all leaves everything as it is stored, blocks too", async () => {
    await engine.apply(text("one", "all"));
    const edited = text("two", "all", "/b").replace('"h"', '"g"');
    expect(actionsOf(await engine.plan(edited, { refresh: false }))).toEqual({ "test_file.a": "none" });
  });

  test("does not hold for what failed to be made", async () => {
    engine.hosts.failing.set("h:/a", "partly");
    await engine.apply(text("one", "[content]"));
    engine.hosts.failing.clear();
    await engine.apply(text("two", "[content]"));
    expect(engine.hosts.files.get("h:/a")).toBe("two");
  });

  for (const [names, said] of [
    ["[conten]", "There is no argument conten. Did you mean content?"],
    ['["content"]', "Arguments are named without quotes"],
    ["content", "It is a list"],
    ["[ssh.nothing]", "In ssh.nothing: There is no argument nothing"],
  ] as const) {
    test(`${names} is refused`, async () => {
      const [problem] = await engine.problems(text("one", names));
      expect(problem).toContain(said);
    });
  }
});

test("several instances are replaced when that is asked for, and a tainted one without", async () => {
  const text = `${file("a", "/a")}${file("b", "/b")}${file("c", "/c")}`;
  engine.hosts.failing.set("h:/c", "partly");
  await engine.apply(text);
  engine.hosts.failing.clear();
  const replace = ["test_file.a", "test_file.b"];
  expect(actionsOf(await engine.plan(text, { replace }))).toEqual({
    "test_file.a": "replace requested",
    "test_file.b": "replace requested",
    "test_file.c": "replace last_apply_failed",
  });
});

test("prevent_destroy holds through what is asked for, what triggers, and the removal of a host", async () => {
  const text = (hosts: string, content = "x") =>
    `resource "test_file" "t" {\n  path = "/t"\n  content = "${content}"\n}\n` +
    `resource "test_file" "web__a" {\n  for_each = toset(${hosts})\n  path = "/a"\n  ssh {\n    address = each.key\n  }\n  lifecycle {\n    prevent_destroy = true\n    replace_triggered_by = [test_file.t]\n  }\n}\n`;
  await engine.apply(text('["h1", "h2"]'));
  const prevented = [expect.stringContaining("Instance must not be destroyed")];
  expect(await engine.problems(text('["h1", "h2"]'), { replace: ['test_file.web__a["h1"]'] })).toEqual(
    prevented,
  );
  expect(await engine.problems(text('["h1", "h2"]', "y"))).toEqual([...prevented, ...prevented]);
  expect(await engine.problems(text('["h1"]'))).toEqual(prevented);
});
