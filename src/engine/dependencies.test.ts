/**
 * What a kind is told of what it depends on (X4, X5), through the real provider with kinds of these tests: one answers a
 * replaced dependency with an update, the other with a replacement.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createProvider } from "../core/create-provider.ts";
import { scriptedSession } from "../core/testing/session.ts";
import type { Kind, StepKind } from "../resources/kind.ts";
import { nothingToRead } from "../resources/nothing-to-read.ts";
import { hostResource } from "../resources/settings.ts";
import type { Changing } from "../revision/decide.ts";
import type { ChangeAnswer } from "../revision/decision.ts";
import { string } from "../schema/schema.ts";
import { formatPath } from "../values/path.ts";
import { startRun } from "./run.ts";
import { configurationOf } from "./testing/configuration.ts";

/** What kinds were told, as `TYPE NAME: …`. */
let reported: string[];
let folder: string;
beforeEach(() => {
  reported = [];
  folder = mkdtempSync(join(tmpdir(), "conn3x-dependencies-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const describe = { describe: "" };

const lists = ({ changes, dependencies }: Changing): string =>
  [
    ...changes.map(
      ({ path, before, after, unknown }) =>
        `${formatPath(path)} ${String(before)} → ${unknown ? "?" : String(after)}`,
    ),
    ...dependencies.map(({ address, action }) => `${address} ${action}`),
  ].join("; ");

/** @param answer when something that it depends on is replaced */
const kindNamed = (name: string, answer: ChangeAnswer): StepKind<null, null> => ({
  role: "step",
  name,
  type: `test_${name}`,
  schema: hostResource("For tests.", {
    name: string({ ...describe, required: true, identity: true }),
    of: string({ ...describe, optional: true }),
    out: string({ ...describe, computed: true }),
  }),
  id: { from: ["name"], of: ({ name: id }) => String(id) },
  facts: nothingToRead,
  observe: (_, object) => object,
  plan: (diff) => {
    if (diff.hasChange("of")) diff.setNewComputed("out");
  },
  changed: ({ old, new: now, changes, dependencies }) => {
    reported.push(`decide ${name} ${now.name}: ${lists({ changes, dependencies })}`);
    if (dependencies.some(({ action }) => action === "replace")) return answer;
    return changes.length > 0 || old.name !== now.name ? "update" : "none";
  },
  operate: (want, _, prior, changing) => {
    if (prior !== undefined && changing !== undefined)
      reported.push(`update ${name} ${want.name}: ${lists(changing)}`);
    return [];
  },
  outcome: (want) => ({ attributes: { out: `out of ${want.of ?? "nothing"}` }, changed: true }),
  remove: () => [],
});

const kinds = new Map<string, Kind>(
  [kindNamed("follows", "update"), kindNamed("rebuilds", "replace")].map((kind) => [
    kind.type,
    kind as unknown as Kind,
  ]),
);

async function run(text: string, modules: Readonly<Record<string, string>> = {}, applies = true) {
  reported.length = 0;
  const session = scriptedSession();
  const provider = createProvider({
    kinds,
    sessions: { session: () => session, close: async () => undefined },
  });
  const made = await startRun({
    configuration: configurationOf(text, modules),
    provider,
    variables: [],
    statePath: join(folder, "terraform.tfstate"),
    mode: "normal",
    refresh: true,
    lockTimeout: 0,
    events: () => undefined,
    parallelism: 1,
  });
  expect(made.diagnostics).toEqual([]);
  if (applies) expect((await made.apply()).diagnostics).toEqual([]);
  await made.close();
  return Object.fromEntries(made.plan!.changes.map(({ address, decision }) => [address, decision]));
}

const ssh = 'ssh {\n address = "192.0.2.1"\n }';
const one = (type: string, id: string, body: string): string =>
  `resource "test_${type}" "${id}" {\n ${body}\n ${ssh}\n}\n`;

const story = (name: string, value = "x"): string => `
variable "prefix" { default = "p" }
locals {
  direct = test_follows.base.name
  looked = "\${var.prefix}-\${local.direct}"
}
${one("follows", "base", `name = "${name}"\n of = "${value}"`)}
${one("follows", "through", 'name = "through"\n of = module.inner.looked == "" ? "" : "same"')}
${one("rebuilds", "built", 'name = "built"\n of = local.looked == "" ? "" : "same"')}
${one("follows", "far", 'name = "far"\n of = test_rebuilds.built.name')}
${one("follows", "apart", 'name = "apart"\n depends_on = [test_follows.base]')}
module "inner" {
  source = "./inner"
  given  = local.looked
}
`;
const inner = {
  "./inner": `
variable "given" {}
locals { again = var.given }
output "looked" { value = local.again }
${one("follows", "inside", 'name = "inside"\n of = var.given == "" ? "" : "same"')}
`,
};

test("X2, X4: a replaced dependency is an update for one kind and a replacement for another", async () => {
  await run(story("one"), inner);
  const decisions = await run(story("two"), inner);
  const base = { address: "test_follows.base", action: "replace" };
  const because = [{ kind: "dependency_replaced", dependencies: ["test_follows.base"] }];
  expect(decisions).toMatchObject({
    "test_follows.base": { action: "replace", reasons: [{ kind: "identity" }] },
    // Through an output of a module, its locals and variables.
    "test_follows.through": { action: "update", reasons: because, dependencies: [base] },
    "module.inner.test_follows.inside": { action: "update", reasons: because, dependencies: [base] },
    // Through locals; what depends on it in turn has only it as a dependency.
    "test_rebuilds.built": { action: "replace", reasons: because, dependencies: [base] },
    "test_follows.far": {
      action: "update",
      reasons: [{ kind: "dependency_replaced", dependencies: ["test_rebuilds.built"] }],
    },
    // What is only waited for is no dependency.
    "test_follows.apart": { action: "none", reasons: [] },
  });
  expect(reported).toContain("decide follows through: test_follows.base replace");
  expect(reported).toContain("decide rebuilds built: test_follows.base replace");
  expect(reported).toContain("decide follows far: test_rebuilds.built replace");
  // Told again while acting.
  expect(reported).toContain("update follows through: test_follows.base replace");
  expect(reported.filter((line) => line.includes("apart"))).toEqual(["decide follows apart: "]);
  // And that was that.
  expect(await run(story("two"), inner)).toMatchObject({
    "test_follows.through": { action: "none" },
    "test_rebuilds.built": { action: "none" },
  });
});

test("X4: dependencies are sorted by address, each once, in whatever order they are named", async () => {
  const text = (version: string) =>
    `${["c", "a", "b"].map((id) => one("follows", id, `name = "${id}${version}"`)).join("")}${one(
      "follows",
      "user",
      `name = "user"\n of = join("", [for n in [test_follows.b.name, test_follows.c.name, test_follows.a.name, test_follows.b.id] : ""])`,
    )}`;
  await run(text("1"));
  const decisions = await run(text("2"));
  const sorted = ["test_follows.a", "test_follows.b", "test_follows.c"];
  expect(decisions["test_follows.user"]!.dependencies?.map(({ address }) => address)).toEqual(sorted);
  expect(reported).toContain(
    `decide follows user: ${sorted.map((address) => `${address} replace`).join("; ")}`,
  );
});

const values = (value: string, more: string): string =>
  `${one("follows", "base", `name = "base"\n of = "${value}"`)}
${one("follows", "user", `name = "user"\n of = substr(test_follows.base.out, 0, ${more})`)}`;

test("X5: what was not known while deciding is told with its value, also where that is the old one", async () => {
  await run(values("one", "100"));
  await run(values("two", "100"));
  const base = "test_follows.base update";
  expect(reported).toEqual(
    expect.arrayContaining([
      "decide follows base: of one → two",
      "update follows base: of one → two",
      `decide follows user: of out of one → ?; ${base}`,
      `update follows user: of out of one → out of two; ${base}`,
    ]),
  );
  await run(values("two", "6"));
  await run(values("three", "6"));
  // It comes to the same, so that there is nothing to do.
  expect(reported).toContain(`decide follows user: of out of → ?; ${base}`);
  expect(reported.filter((line) => line.startsWith("update follows user"))).toEqual([]);
  const both = (value: string, name: string): string =>
    `${values(value, "6")}`.replace('name = "user"', `name = "user"\n when = ${name}`);
  await run(both("three", "null"));
  await run(both("four", "true"));
  expect(reported).toContain(`update follows user: when null → true; of out of → out of; ${base}`);
});
