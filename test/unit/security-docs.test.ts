/** Each claim of docs/security.md names a test that is there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/security.md"), "utf8");

/** The claims: items of lists, each on one line. */
const claims = page
  .split(/\n(?=- |\n)/)
  .filter((part) => part.startsWith("- "))
  .map((part) => part.replace(/\s+/g, " "));

/** The one item that says what is not so. */
const limits = /^- Another engine does not tell/;

test.each(claims.filter((claim) => !limits.test(claim)))("%s", (claim) => {
  const named = [...claim.matchAll(/`([\w./-]+\.test\.ts)`(?: "([^"]+)")?/g)];
  expect(named.length).toBeGreaterThan(0);
  for (const [, file = "", title] of named) {
    expect(existsSync(join(root, file)), file).toBe(true);
    if (title !== undefined) expect(readFileSync(join(root, file), "utf8")).toContain(title);
  }
});

test("there are claims in each part", () => {
  expect(claims.length).toBeGreaterThan(15);
});

test("no script of a package is run", () => {
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  // npm runs neither of these then: what needs the build starts it itself.
  for (const name of Object.keys(scripts)) expect(name).not.toMatch(/^(?:pre|post)(?!pare$)/);
  for (const name of ["demo", "test"]) expect(scripts[name]).toMatch(/^node scripts\/build\.mjs && /);
});
