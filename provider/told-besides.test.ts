import { expect, test } from "vitest";
import type { PlanRequest, PlanResponse, Provider } from "../src/core/index.ts";
import { tellingBesides } from "./told-besides.ts";

const planned = async (besides: readonly string[] | undefined) => {
  const decision = { action: "update", ...(besides && { besides }) };
  const planResource = async () => ({ diagnostics: [], decision }) as unknown as PlanResponse;
  const provider = tellingBesides({ planResource } as unknown as Provider);
  return (await provider.planResource({} as PlanRequest)).diagnostics;
};

test("what else changes is a warning, where there is anything", async () => {
  expect(await planned(undefined)).toEqual([]);
  expect(await planned(["removes exim4 4.96"])).toMatchObject([
    { severity: "warning", detail: "Besides what it names, this change\n  removes exim4 4.96" },
  ]);
  const many = Array.from({ length: 42 }, (_, i) => `installs p${i} 1`);
  expect((await planned(many))[0]!.detail).toMatch(/installs p39 1\n {2}\(and 2 more\)$/);
});
