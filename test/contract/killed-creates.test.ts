/**
 * A create that was cut off after the host had changed: what it made is removed when it is not wanted any more, and what
 * was there before is not.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Embedded, openEmbedded } from "./embedded.ts";

let embedded: Embedded;
beforeEach(async () => {
  embedded = await openEmbedded();
});
afterEach(() => embedded.remove());

const at = (name: string) => join(embedded.host.root, name);
const step = (name: string, body: string) => `
  step "${name}" {
    ${body}
  }`;
const bodies = {
  directory: () => `directory { path = "${at("made")}" }`,
  file: () => `file {\n path = "${at("made")}"\n content = "ours"\n }`,
  link: () => `link {\n path = "${at("made")}"\n target = "/"\n }`,
};

test.each(Object.entries(bodies))("a %s that it made goes", async (_, body) => {
  const text = step("made", body());
  await embedded.killAfter(text, /web__made/);
  expect(existsSync(at("made"))).toBe(true);
  const { deleted, kept } = await embedded.apply("");
  expect([deleted, kept, existsSync(at("made"))]).toEqual([1, 0, false]);
});

test.each(["directory", "file"] as const)("a %s that was there before stays", async (kind) => {
  if (kind === "directory") mkdirSync(at("made"));
  else writeFileSync(at("made"), "theirs");
  await embedded.killAfter(step("made", bodies[kind]()), /web__made/);
  const { deleted, kept } = await embedded.apply("");
  expect([deleted, kept, existsSync(at("made"))]).toEqual([0, 1, true]);
});
