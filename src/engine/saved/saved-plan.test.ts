import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunOptions } from "../run.ts";
import { actionsOf, type TestEngine, testEngine } from "../testing/engine.ts";
import { readSavedPlan } from "./saved-plan.ts";

let engine: TestEngine;
let path: string;
beforeEach(() => {
  engine = testEngine();
  path = join(dirname(engine.statePath), "plan");
});
afterEach(() => engine.remove());

const steps = (content: string, more = "") => `
variable "mark" {
  default   = "none"
  sensitive = true
}
resource "test_file" "web__a" {
  for_each = toset(["h1", "h2"])
  path     = "/a"
  content  = "${content} ${"${var.mark}"}"
  ssh {
    address = each.key
  }
}
resource "test_action" "web__run" {
  for_each   = toset(["h1", "h2"])
  name       = "run"
  triggers   = [test_file.web__a[each.key].revision]
  depends_on = [test_file.web__a]
  ssh {
    address = each.key
  }
}
${more}`;

async function save(text: string, more: Partial<RunOptions> = {}): Promise<Record<string, string>> {
  const run = await engine.start(text, { saves: true, ...more });
  expect(await run.save!(path)).toEqual([]);
  await run.close();
  return actionsOf(run.plan!);
}

async function saved(): Promise<Partial<RunOptions>> {
  const { plan, problem } = await readSavedPlan(path);
  if (plan === undefined) throw new Error(problem.detail);
  return { saved: plan };
}

test("is applied as it was made, with its variables, and asks no host what it knows", async () => {
  await engine.apply(steps("one"));
  engine.hosts.files.set("h1:/a", "by hand");
  const mark = [{ name: "mark", text: "t0ps3cret", source: "-var" }];
  const actions = await save(steps("two"), { variables: mark, limit: ["h1"] });
  expect(actions['test_action.web__run["h1"]']).toBe("replace triggers");
  engine.hosts.logins.length = 0;
  const plan = await engine.plan(steps("two"), await saved());
  expect(actionsOf(plan)).toEqual(actions);
  expect(engine.hosts.logins).toEqual([]);
  expect(await engine.apply(steps("two"), await saved())).toMatchObject({ updated: 1, replaced: 1 });
  expect(engine.hosts.files.get("h1:/a")).toBe("two t0ps3cret");
  expect(engine.hosts.log).toEqual(["forget h1:run", "write h1:/a", "run h1:run"]);
});

test("holds for a first apply and for a destroy", async () => {
  await save(steps("one"));
  expect(await engine.apply(steps("one"), await saved())).toMatchObject({ created: 4 });
  await save(steps("one"), { mode: "destroy" });
  expect(await engine.apply(steps("one"), await saved())).toMatchObject({ deleted: 4 });
});

test("can be read by its owner only", async () => {
  writeFileSync(path, "old", { mode: 0o644 });
  await save(steps("one"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

describe("is refused as stale", () => {
  const problems = async (text: string) => engine.problems(text, await saved());

  test("when something was applied in between", async () => {
    await engine.apply(steps("one"));
    await save(steps("two"));
    await engine.apply(steps("three"));
    expect(await problems(steps("two"))).toEqual([
      expect.stringMatching(/^Saved plan is stale: It was made on serial 1 .* serial 2 now/),
    ]);
  });

  test("on another state", async () => {
    await engine.apply(steps("one"));
    await save(steps("two"));
    const other = readFileSync(engine.statePath, "utf8").replace(/"lineage": "[^"]+"/, '"lineage": "x"');
    writeFileSync(engine.statePath, other);
    expect(await problems(steps("two"))).toEqual([expect.stringContaining("It was made on another state")]);
  });

  test("when the configuration was edited", async () => {
    await save(steps("one"));
    expect(await problems(steps("two"))).toEqual([
      expect.stringContaining("The configuration has been changed"),
    ]);
    expect(existsSync(engine.statePath)).toBe(false);
  });

  test("when a file that the configuration reads was edited", async () => {
    const file = join(dirname(path), "text");
    writeFileSync(file, "one");
    const text = steps(`\${trimspace(file("${file}"))}`);
    await save(text);
    writeFileSync(file, "two");
    expect(await problems(text)).toEqual([expect.stringContaining("Something that the configuration reads")]);
  });

  test("when a host changed since: that host is left alone", async () => {
    await engine.apply(steps("one"));
    await save(steps("two"));
    engine.hosts.files.set("h1:/a", "by hand");
    const { failed } = await engine.apply(steps("two"), await saved());
    expect(failed).toMatchObject([{ host: "h1", reason: "Host has changed since the plan" }]);
    expect(engine.hosts.files.get("h2:/a")).toBe("two none");
  });
});

test.each([
  ["text", Buffer.from("hello")],
  ["another version", gzipSync('{"conn3x_plan": 99}')],
  ["something else in gzip", gzipSync("[1]")],
])("what is no plan is refused: %s", async (_, bytes) => {
  writeFileSync(path, bytes);
  const { problem } = await readSavedPlan(path);
  expect(problem?.summary).toBe(`${path} is no plan to apply`);
});

test("a file that unpacks to gigabytes is refused before it does", async () => {
  // Four members of 80 MiB each, in a file of 320 KiB: gzip's members follow one another.
  const member = gzipSync(Buffer.alloc(80 * 2 ** 20));
  writeFileSync(path, Buffer.concat([member, member, member, member]));
  const { problem } = await readSavedPlan(path);
  expect(problem?.detail).toBe("It unpacks to more than 256 MiB, which no plan does.");
});

test("a plan that was edited is refused, and an untouched one is not", async () => {
  await engine.apply(steps("one"));
  await save(steps("two"));
  expect(await readSavedPlan(path)).not.toHaveProperty("problem");
  const edited = gunzipSync(readFileSync(path))
    .toString("utf8")
    .replace('"mode":"normal"', '"mode":"destroy"');
  writeFileSync(path, gzipSync(edited));
  expect((await readSavedPlan(path)).problem?.detail).toContain("edited by hand");
});
