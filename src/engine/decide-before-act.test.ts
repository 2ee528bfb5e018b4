/** All is decided before anything is touched (X6), and what ends ends before what is made (X7). */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Provider } from "../core/provider.ts";
import { errorDiagnostic } from "../diagnostics/diagnostic.ts";
import { isNull, type Value } from "../values/value.ts";
import { type TestEngine, testEngine } from "./testing/engine.ts";
import { fakeProvider } from "./testing/fake-provider.ts";

let engine: TestEngine;
beforeEach(() => {
  engine = testEngine();
});
afterEach(() => engine.remove());

const file = (name: string, path: string, after?: string): string =>
  `resource "test_file" "${name}" {\n  path = "${path}"\n  content = "x"\n${after === undefined ? "" : `  depends_on = [test_file.${after}]\n`}}\n`;
const three = `${file("a", "/a")}${file("b", "/b", "a")}${file("c", "/c", "b")}`;
const edited = three.replaceAll('"x"', '"y"');

const pathOf = (object: Value): unknown => (object.data as ReadonlyMap<string, Value>).get("path")!.data;
const no = [errorDiagnostic("No", "It failed.")];

/** Each fails for one instance; the others are well. */
const failing: readonly (readonly [string, (provider: Provider) => Partial<Provider>])[] = [
  [
    "a read",
    (provider) => ({
      readResource: async (request) =>
        pathOf(request.current) === "/c"
          ? { state: request.current, private: request.private, diagnostics: no }
          : provider.readResource(request),
    }),
  ],
  [
    "a decision",
    (provider) => ({
      async planResource(request) {
        const answer = await provider.planResource(request);
        return isNull(request.config) || pathOf(request.config) !== "/c"
          ? answer
          : { ...answer, diagnostics: no };
      },
    }),
  ],
];

for (const [what, breaking] of failing) {
  test(`X6: ${what} that fails leaves hosts and state as they are, byte for byte`, async () => {
    await engine.apply(three);
    const before = readFileSync(engine.statePath, "utf8");
    engine.hosts.log.length = 0;
    // Something else to be stored, were there a plan.
    engine.hosts.files.set("here:/a", "by hand");
    const good = fakeProvider(engine.hosts);
    const run = await engine.start(edited, { provider: { ...good, ...breaking(good) } });
    expect(run.plan).toBe(undefined);
    await expect(run.apply()).rejects.toThrow("there is no plan");
    await run.close();
    expect(run.diagnostics.map(({ summary }) => summary)).toContain("No");
    expect(engine.hosts.log).toEqual([]);
    expect(readFileSync(engine.statePath, "utf8")).toBe(before);
    // Nothing is marked as failed.
    expect(
      (await engine.plan(edited)).changes.map(({ decision }) => decision.reasons[0]!.kind),
    ).not.toContain("last_apply_failed");
  });
}

test("X7: what ends goes first, dependents first; then the rest in order", async () => {
  await engine.apply(`${three}${file("d", "/d", "c")}`);
  const moved = three.replace('"/a"', '"/z"').replace('"/b"', '"/y"').replace('"x"', '"y"');
  const { replaced, deleted } = await engine.apply(moved);
  expect([replaced, deleted]).toEqual([2, 1]);
  expect(engine.hosts.log).toEqual([
    "remove here:/d",
    "remove here:/b",
    "remove here:/a",
    "write here:/z",
    "write here:/y",
  ]);
});

test("X7: every read and decision comes before the first change", async () => {
  await engine.apply(three);
  const run = await engine.start(edited);
  await run.apply();
  await run.close();
  const kinds = engine.events.map(({ kind }) => kind);
  expect(kinds.lastIndexOf("refresh_complete")).toBeLessThan(kinds.indexOf("apply_start"));
  expect(kinds.filter((kind) => kind === "refresh_complete")).toHaveLength(3);
});

test("X7: a destroy that fails is recorded, and tried again without being asked for", async () => {
  await engine.apply(three);
  engine.hosts.failing.set("here:/c", "wholly");
  const { failed, notDone } = await engine.apply("");
  expect(failed.map(({ address }) => address)).toEqual(["test_file.c"]);
  expect(notDone).toEqual(["test_file.b", "test_file.a"]);
  engine.hosts.failing.clear();
  expect(await engine.apply("")).toMatchObject({ deleted: 3, failed: [] });
});

test("U4: what a kind's check finds is said before any host is asked", async () => {
  await engine.apply(three);
  engine.hosts.logins.length = 0;
  expect(await engine.problems(three.replace('"/c"', '"c"'))).toEqual([
    "Path is not absolute: It must start with a slash.",
  ]);
  expect(engine.hosts.logins).toEqual([]);
});
