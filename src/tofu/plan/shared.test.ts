import { expect, test } from "vitest";
import { providerSchema } from "../../core/create-provider.ts";
import type { PlannedChange } from "../../engine/plan.ts";
import type { Action } from "../../revision/decision.ts";
import { schemaType } from "../../schema/schema.ts";
import { fromPlain } from "../../values/plain.ts";
import { nullValue, type Value } from "../../values/value.ts";
import { createProviderLog } from "../provider/provider-log.ts";
import { changeOf, planOf } from "../testing/changes.ts";
import { keepingShared } from "./shared.ts";

const type = schemaType(providerSchema.resources.get("conn3x_file")!);
const file = (path: string, address = "192.0.2.1") => fromPlain({ path, id: path, ssh: { address } }, type);
const none = nullValue(type);
const change = (step: string, action: Action, before: Value, after: Value): PlannedChange => ({
  ...changeOf("web", step, "web1", action),
  before,
  after,
});

function kept(...changes: readonly PlannedChange[]) {
  const toKeep: string[] = [];
  const log = { ...createProviderLog(), keep: (of: string) => void toKeep.push(of) };
  const plan = keepingShared(planOf(changes), log);
  return {
    keeps: plan.changes.map(({ decision }) => decision.keeps),
    said: plan.diagnostics.map(({ summary, address }) => [summary, address]),
    toKeep,
  };
}

test("an object that goes at one address and comes or stays at another is kept, and that is said", () => {
  for (const action of ["create", "none"] as const)
    expect(
      kept(change("old", "delete", file("/a"), none), change("young", action, none, file("/a"))),
    ).toEqual({
      keeps: ["shared", undefined],
      said: [["Object on the host is not deleted", 'conn3x_file.web__old["web1"]']],
      toKeep: ["conn3x_file"],
    });
});

test("so is the old half of a replacement whose object another address holds", () => {
  const { keeps } = kept(
    change("moves", "replace", file("/a"), file("/b")),
    change("comes", "create", none, file("/a")),
  );
  expect(keeps).toEqual(["shared", undefined]);
});

test.each([
  ["another path", file("/b")],
  ["another host", file("/a", "192.0.2.2")],
])("%s is another object", (_, other) => {
  expect(
    kept(change("old", "delete", file("/a"), none), change("young", "create", none, other)).keeps,
  ).toEqual([undefined, undefined]);
});

test("a replacement keeps nothing for its own sake, and what both go is deleted", () => {
  expect(kept(change("one", "replace", file("/a"), file("/a"))).keeps).toEqual([undefined]);
  expect(
    kept(change("one", "delete", file("/a"), none), change("two", "delete", file("/a"), none)).keeps,
  ).toEqual([undefined, undefined]);
});
