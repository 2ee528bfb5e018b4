/**
 * Holds docs/troubleshooting.md to the messages: what a heading quotes is the first line of an error or a warning.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");
const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);

/** Headings that say what one sees, and quote nothing. */
const sights = [
  "A path leads through what others can change",
  "A run was interrupted",
  "A stored object cannot be used",
  "destroy kept something",
  "A plan shows a change again and again",
];

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("testing"))
  .map((name) => readFileSync(join(root, "src", name), "utf8"))
  .join("\n");

test.each(headings.filter((heading) => !sights.includes(heading)))("%s", (heading) => {
  expect(sources).toContain(`"${heading}"`);
});

test("what is seen has a heading", () => {
  expect(sights.filter((sight) => !headings.includes(sight))).toEqual([]);
});

test("each heading is there once", () => {
  expect(headings.filter((heading, i) => headings.indexOf(heading) !== i)).toEqual([]);
});
