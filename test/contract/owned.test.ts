/**
 * Settings that are left to somebody else, on a host of this process. Where nobody but root may give files away, root's
 * part is for real hosts.
 */
import { expect, test } from "vitest";
import { providerSchema } from "../../src/core/create-provider.ts";
import { demoStage } from "../../src/kind/testing/demo-stage.ts";
import { ownableSettings } from "../../src/schema/ownable.ts";
import { ownedCases } from "./owned.ts";
import { ownershipSuite } from "./ownership-suite.ts";

const stage = demoStage({ units: ["web.service"], clear: ["run/units/web.service"] });

test("every setting that can be left to somebody else has a row", () => {
  const able = [...providerSchema.resources]
    .filter(([, { blocks }]) => blocks.drift !== undefined)
    .flatMap(([type, schema]) => ownableSettings(schema).map((setting) => `${type}.${setting}`));
  expect(ownedCases.map(({ type, setting }) => `${type}.${setting}`).sort()).toEqual(able.sort());
});

const isRoot = process.getuid?.() === 0;

ownershipSuite(
  stage,
  ownedCases.filter(({ lab, needsRoot }) => lab !== true && (isRoot || needsRoot !== true)),
);
