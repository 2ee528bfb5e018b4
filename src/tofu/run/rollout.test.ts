import { describe, expect, test } from "vitest";
import type { Circuit, Configuration } from "../../compiler/model.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { configurationOf } from "../../engine/testing/configuration.ts";
import { parseExpression } from "../../hcl/parse/parse.ts";
import { knownConfiguration } from "../plan/known-configuration.ts";
import { changeOf, planOf } from "../testing/changes.ts";
import { deviation, type Stage, stagesOf, whyNot } from "./rollout.ts";

const resources = configurationOf(`
resource "conn3x_file" "db__a" {
  for_each   = toset(["d1", "d2"])
  path       = "/a"
  content    = "a"
  depends_on = [conn3x_file.web__b]
}
resource "conn3x_file" "web__a" {
  for_each = toset(["h1", "h2", "h3"])
  path     = "/a"
  content  = "a"
}
resource "conn3x_file" "web__b" {
  for_each   = toset(["h1", "h2", "h3"])
  path       = "/b"
  content    = "b"
  depends_on = [conn3x_file.web__a]
}
`);
const expression = (text: string) => parseExpression(new SourceFile("main.tf", text)).expression;
const circuit = (name: string, batch: string | undefined, maxFailures?: string): Circuit => ({
  name,
  hosts: expression("{}"),
  range: resources.resources[0]!.range,
  steps: [],
  handlers: [],
  facts: undefined,
  moved: [],
  rollout:
    batch === undefined
      ? undefined
      : {
          batch: expression(batch),
          maxFailures: maxFailures === undefined ? undefined : expression(maxFailures),
          pause: undefined,
        },
  order: "step",
  onFailure: "host",
  onHostGone: "fail",
});
const configured = (...circuits: readonly Circuit[]): Configuration => ({ ...resources, circuits });

const stages = (plan: ReturnType<typeof planOf>, ...circuits: readonly Circuit[]) => {
  const configuration = configured(...circuits);
  const { loaded, scope } = knownConfiguration(configuration, []);
  return stagesOf(plan, { configured: loaded, scope });
};
/** `CIRCUIT BATCH: ADDRESSES` */
const shown = (all: readonly Stage[]) =>
  all.map(
    ({ circuit: name, batch, changes }) =>
      `${name} ${batch}: ${changes.map(({ member, host }) => `${member}@${host}`).join(" ")}`,
  );
const web = (actions: Readonly<Record<string, "none" | "create">>) =>
  ["a", "b"].flatMap((step) =>
    Object.entries(actions).map(([host, action]) => changeOf("web", step, host, action)),
  );

describe("stagesOf", () => {
  test("hosts with something to do go in batches, each with all of its instances", () => {
    const plan = planOf([
      ...web({ h1: "create", h2: "none", h3: "create" }),
      changeOf("db", "a", "d1", "create"),
    ]);
    expect(shown(stages(plan, circuit("web", "1"), circuit("db", undefined)).stages)).toEqual([
      "web 0: a@h1 b@h1",
      "web 1: a@h3 b@h3",
      "undefined 0: a@d1",
    ]);
  });

  test("a circuit goes after those that it comes after, wherever it is written", () => {
    const plan = planOf([
      changeOf("db", "a", "d1", "create"),
      changeOf("db", "a", "d2", "create"),
      ...web({ h1: "create", h2: "create" }),
    ]);
    expect(shown(stages(plan, circuit("db", "1"), circuit("web", "1")).stages)).toEqual([
      "web 0: a@h1 b@h1",
      "web 1: a@h2 b@h2",
      "db 0: a@d1",
      "db 1: a@d2",
      "undefined 0: ",
    ]);
  });

  test("one batch is no rollout, and neither is a destruction", () => {
    const one = planOf(web({ h1: "create", h2: "none" }));
    expect(stages(one, circuit("web", "1")).stages).toEqual([]);
    const both = web({ h1: "create", h2: "create" });
    expect(stages(planOf(both), circuit("web", "5")).stages).toEqual([]);
    expect(stages(planOf(both, "destroy"), circuit("web", "1")).stages).toEqual([]);
  });

  test("what is no number of hosts is an error", () => {
    const plan = planOf(web({ h1: "create", h2: "create" }));
    expect(stages(plan, circuit("web", '"many"')).problems).toHaveLength(1);
  });
});

describe("whyNot", () => {
  const [first, second] = stages(planOf(web({ h1: "create", h2: "create" })), circuit("web", "1", "1"))
    .stages as readonly [Stage, Stage];
  const failures = (...hosts: readonly string[]) => ({
    failedHosts: new Map([["web", new Set(hosts)]]),
    stopped: new Map<string, string>(),
  });

  test("more failed hosts than allowed stop the next batch", () => {
    expect(whyNot(first, first.changes[0]!, { failedHosts: new Map(), stopped: new Map() })).toBeUndefined();
    expect(whyNot(second, second.changes[0]!, failures("h1"))).toBeUndefined();
    expect(whyNot(second, second.changes[0]!, failures("h1", "h9"))).toBe(
      "the rollout stopped before batch 2: 2 hosts failed",
    );
  });

  test("what comes after a circuit waits for all of it", () => {
    const change = changeOf("db", "a", "d1", "create");
    const last: Stage = { ...first, circuit: undefined };
    expect(whyNot(last, change, failures("h1"))).toBe(
      "circuit web, which comes before, is not done on every host",
    );
  });
});

describe("deviation", () => {
  const shownPlan = planOf([changeOf("web", "a", "h1", "update"), changeOf("web", "b", "h1", "none")]);

  test("a batch may do what was shown, or less", () => {
    expect(deviation(shownPlan, shownPlan, new Set())).toBeUndefined();
    expect(deviation(planOf([changeOf("web", "a", "h1", "none")]), shownPlan, new Set())).toBeUndefined();
  });

  test.each([
    ["another action", changeOf("web", "a", "h1", "replace")],
    ["something where nothing was to be done", changeOf("web", "b", "h1", "update")],
    ["something that was not shown", changeOf("web", "c", "h1", "create")],
  ])("%s is refused", (_, change) => {
    expect(deviation(planOf([change]), shownPlan, new Set())).toMatchObject({
      summary: "The plan is another by now",
      address: change.address,
    });
  });

  test("and so is what failed before", () => {
    const change = changeOf("web", "a", "h1", "update");
    expect(deviation(planOf([change]), shownPlan, new Set([change.address]))?.summary).toBe(
      "The rest of the rollout needs what failed",
    );
  });
});
