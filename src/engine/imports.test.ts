/** `import` blocks: what is on a host already becomes an instance. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { importInstance } from "./import-instance.ts";
import { readSavedPlan } from "./saved/saved-plan.ts";
import { configurationOf } from "./testing/configuration.ts";
import { actionsOf, type TestEngine, testEngine } from "./testing/engine.ts";
import { fakeProvider } from "./testing/fake-provider.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
  engine.hosts.files.set("h1:/x", "as it was").set("h2:/x", "as it was");
});
afterEach(() => engine.remove());

const using = (text: string, modules: Readonly<Record<string, string>> = {}) => ({
  configuration: configurationOf(text, modules),
});

const files = (content = "as it was") => `
resource "test_file" "web__x" {
  for_each = toset(["h1", "h2"])
  path     = "/x"
  content  = "${content}"
  ssh {
    address = each.key
  }
}
`;
const block = (to: string, id: string, more = "") => `import {\n  to = ${to}\n  id = "${id}"\n  ${more}\n}\n`;
const both = block("test_file.web__x[each.value]", "${each.value}:/x", 'for_each = toset(["h1", "h2"])');

describe("what is there", () => {
  test("is taken over as it is, and is in the state afterwards", async () => {
    const plan = await engine.plan("", using(files() + both));
    expect(plan.changes.map(({ decision, importing }) => [decision.action, importing])).toEqual([
      ["none", "h1:/x"],
      ["none", "h2:/x"],
    ]);
    expect(await engine.apply("", using(files() + both))).toMatchObject({
      imported: 2,
      created: 0,
      updated: 0,
    });
    expect(engine.hosts.log).toEqual([]);
    expect(
      engine.state().resources[0]?.instances.map(({ index_key, attributes }) => [index_key, attributes.id]),
    ).toEqual([
      ["h1", "/x"],
      ["h2", "/x"],
    ]);
    const again = await engine.plan("", using(files() + both));
    expect(again.changes.map(({ importing }) => importing)).toEqual([undefined, undefined]);
    expect(again.stateChanged).toBe(false);
  });

  test("is changed where the configuration wants something else", async () => {
    const text = files("new") + block('test_file.web__x["h1"]', "h1:/x");
    expect(actionsOf(await engine.plan("", using(text)))).toEqual({
      'test_file.web__x["h1"]': "update config",
      'test_file.web__x["h2"]': "create create",
    });
    expect(await engine.apply("", using(text))).toMatchObject({ imported: 1, updated: 1, created: 1 });
    expect(engine.hosts.files.get("h1:/x")).toBe("new");
  });

  test("goes into a module", async () => {
    const text = `module "m" {\n source = "./files"\n count = 1\n}\n${block('module.m[0].test_file.web__x["h2"]', "h2:/x")}`;
    await engine.apply("", { ...using(text, { "./files": files() }), limit: ["h2"] });
    expect(engine.state().resources).toMatchObject([{ module: "module.m[0]", name: "web__x" }]);
  });

  test("is imported by a saved plan as it was shown", async () => {
    const path = join(engine.statePath, "..", "plan");
    const run = await engine.start("", { ...using(files() + both), saves: true });
    expect(await run.save!(path)).toEqual([]);
    await run.close();
    const { plan: saved } = await readSavedPlan(path);
    expect(await engine.apply("", { ...using(files() + both), saved: saved! })).toMatchObject({
      imported: 2,
    });
  });

  test("is left alone by a destroy", async () => {
    const options = { ...using(files() + both), mode: "destroy" as const };
    expect((await engine.plan("", options)).changes).toEqual([]);
  });
});

describe("is refused", () => {
  test.each([
    [
      "what is not there",
      files() + block('test_file.web__x["h1"]', "h1:/y"),
      "Nothing to import: There is no h1:/y.",
    ],
    [
      "a resource that is not configured",
      block("test_file.gone", "h1:/x"),
      "There is no configuration for what is imported: test_file.gone is not configured: write the resource, or the step, first. Its settings say what becomes of the object.",
    ],
    [
      "a key that is not configured",
      files() + block('test_file.web__x["h3"]', "h1:/x"),
      'There is no configuration for what is imported: test_file.web__x["h3"] is not configured: write the resource, or the step, first. Its settings say what becomes of the object.',
    ],
    [
      "an id that is not known",
      `${files() + block('test_file.web__x["h1"]', '${test_file.web__x["h2"].revision}')}`,
      "This cannot be the id of an import: It is not known before an apply. Apply what it comes from first.",
    ],
    [
      "two blocks for one instance",
      files() + block('test_file.web__x["h1"]', "h1:/x") + block('test_file.web__x["h1"]', "h2:/x"),
      'Two import blocks for one instance: Another block imports test_file.web__x["h1"] too.',
    ],
    ["a module", files() + block("module.m", "h1:/x"), expect.stringMatching(/^This is not the address/)],
  ])("%s", async (_, text, problem) => {
    expect(await engine.problems("", using(text))).toEqual([problem]);
  });

  test("in a module", async () => {
    const inner = files() + block('test_file.web__x["h1"]', "h1:/x");
    expect(await engine.problems("", using('module "m" {\n source = "./m"\n}', { "./m": inner }))).toEqual([
      expect.stringMatching(/^An import block in a module/),
    ]);
  });
});

describe("by itself, without a plan", () => {
  const importing = (text: string, address: string, id: string) =>
    importInstance({
      ...using(text),
      provider: fakeProvider(engine.hosts),
      variables: [],
      statePath: engine.statePath,
      lockTimeout: 0,
      address,
      id,
      events: () => undefined,
    });

  test("is in the state, as the host has it, and the next plan says what differs", async () => {
    expect(await importing(files("new"), 'test_file.web__x["h1"]', "h1:/x")).toEqual([]);
    expect(engine.state().resources[0]?.instances).toMatchObject([
      { index_key: "h1", attributes: { content: "as it was" } },
    ]);
    expect(engine.hosts.log).toEqual([]);
    expect(actionsOf(await engine.plan("", using(files("new"))))).toEqual({
      'test_file.web__x["h1"]': "update config",
      'test_file.web__x["h2"]': "create create",
    });
  });

  test.each([
    ["what is not there", 'test_file.web__x["h1"]', "h1:/y", "Nothing to import"],
    ["what is not configured", "test_file.y", "h1:/x", "There is no configuration for what is imported"],
    [
      "a key that is not configured",
      'test_file.web__x["h3"]',
      "h1:/x",
      "There is no configuration for what is imported",
    ],
    ["no address", "test_file.web__x[h1]", "h1:/x", "That is no address of an instance"],
  ])("is refused for %s", async (_, address, id, summary) => {
    const problems = await importing(files(), address, id);
    expect(problems.map((problem) => problem.summary)).toEqual([summary]);
    expect(existsSync(engine.statePath)).toBe(false);
  });

  test("is refused where something is already", async () => {
    await importing(files(), 'test_file.web__x["h1"]', "h1:/x");
    const again = await importing(files(), 'test_file.web__x["h1"]', "h2:/x");
    expect(again.map(({ summary }) => summary)).toEqual(["There is something at this address"]);
  });
});
