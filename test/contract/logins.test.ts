/**
 * Keys are renewed: what was made with an old one can still be removed.
 */
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Embedded, openEmbedded } from "./embedded.ts";

let embedded: Embedded;
beforeEach(async () => {
  embedded = await openEmbedded();
});
afterEach(() => embedded.remove());

const path = (name: string) => join(embedded.host.root, name);
const file = (step: string, name = step) =>
  `step "${step}" {\nfile {\n path = "${path(name)}"\n content = "${step}"\n}\n}\n`;
const renewed = { key: "renewed" };
const renewKey = () => renameSync(join(embedded.directory, "key"), join(embedded.directory, "renewed"));

test("by a replacement in the same change", async () => {
  await embedded.apply(file("one"));
  renewKey();
  const { failed, replaced } = await embedded.apply(file("one", "other"), renewed);
  expect(failed).toEqual([]);
  expect(replaced).toBe(1);
  expect([existsSync(path("one")), existsSync(path("other"))]).toEqual([false, true]);
});

test("with a step that is removed in the same change, as its neighbours are logged in to", async () => {
  await embedded.apply(file("one") + file("two"));
  renewKey();
  const { failed, deleted, plan } = await embedded.apply(file("two"), renewed);
  expect(plan.diagnostics).toEqual([]);
  expect(failed).toEqual([]);
  expect(deleted).toBe(1);
  expect([existsSync(path("one")), existsSync(path("two"))]).toEqual([false, true]);
});
